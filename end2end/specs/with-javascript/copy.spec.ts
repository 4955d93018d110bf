import { expect, test } from '../../support/test.ts';

test('the exact text of a paste is copied', async ({ page, form, result }) => {
  await form.open();
  await form.submit('\n  spaces around  \n\n');
  await result.link.click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await page.getByRole('link', { name: 'New paste' }).click();
  await form.ready();
  await form.text.press('ControlOrMeta+V');
  await expect(form.text).toHaveValue('\n  spaces around  \n\n');
});
