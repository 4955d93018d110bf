import { expect, test } from '../../support/test.ts';

test('when the client cannot start, the plain form saves', async ({ page, form, expectOnePaste }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto('/');
  await form.submit('without a client');
  await expect(page.getByRole('heading', { name: 'Saved', exact: true })).toBeVisible();
  await expectOnePaste('without a client');
});
