import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('the reference of the API is one click from the form and its contents lead to each call', async ({ page, form }) => {
  await form.open();
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The API');
  await page.getByRole('link', { name: 'POST /api/pastes' }).click();
  await expect(page).toHaveURL(/#createPaste$/);
  const call = page.getByRole('region', { name: 'POST /api/pastes' });
  await expect(call).toBeInViewport();
  await expect(call).toContainText('Idempotency-Key');
  await expectAccessible(page, 'reference');
});
