import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

async function deleteWith(page: Page, token: string): Promise<void> {
  await page.getByText('Delete this paste').click();
  await page.getByLabel('Delete token').fill(token);
  await page.getByRole('button', { name: 'Delete' }).click();
}

test('the token deletes the paste', async ({ page, form, result, request }) => {
  await form.open();
  await form.submit('short lived');
  const [link, token] = [await result.link.innerText(), await result.token.innerText()];
  await page.goto(link);
  await deleteWith(page, token);
  await expect(page.getByRole('heading', { name: 'Deleted' })).toBeVisible();
  await expectAccessible(page, 'deleted');
  expect((await request.get(link)).status()).toBe(404);
});

test('a wrong token deletes nothing', async ({ page, form, result, stored }) => {
  await form.open();
  await form.submit('stays');
  const link = await result.link.innerText();
  await page.goto(link);
  await deleteWith(page, `once_${'0'.repeat(26)}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing is here');
  await expectAccessible(page, 'not-found');
  expect(await stored(link)).toBe('stays');
});
