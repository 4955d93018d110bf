import { save } from '../../support/save.ts';
import { expect, test } from '../../support/test.ts';

test('times are in UTC and no dead button is shown', async ({ page, request }) => {
  await page.goto(`/${await save(request, 'text')}`);
  await expect(page.locator('time').last()).toHaveText(/ UTC$/);
  await expect(page.getByText('Copy', { exact: true })).toBeHidden();
});
