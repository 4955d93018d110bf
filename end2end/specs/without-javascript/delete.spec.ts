import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('the page of the result deletes what it has just saved', async ({ page, form, result, request, pastes }) => {
  await form.open();
  await form.submit('a mistake');
  const link = await result.link.innerText();
  await page.getByText('Delete this paste').click();
  await expectAccessible(page, 'result-delete-open');
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Deleted' })).toBeVisible();
  expect((await request.get(link)).status()).toBe(404);
  expect(await pastes()).toBe(0);
});
