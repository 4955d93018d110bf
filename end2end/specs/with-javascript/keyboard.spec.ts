import type { Page } from '@playwright/test';
import { expect, test } from '../../support/test.ts';

/** Presses Tab until the element of this role and name has the focus, each one on the way being visible. */
async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name });
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const focused = document.activeElement!;
      const places = [focused, focused.closest('label') ?? focused, focused.closest('.sheet') ?? focused];
      return places.some((place) => getComputedStyle(place).outlineStyle !== 'none');
    });
    if (await page.evaluate(() => document.activeElement !== document.body)) expect(outline).toBe(true);
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`no way to ${role} ${name}`);
}

test('from text to deleted paste by keyboard alone, with the focus always in sight', async ({
  page,
  form,
  result,
  request,
}) => {
  await form.open();
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Escape');
  await tabTo(page, 'combobox', 'Expires after');
  await page.keyboard.press('ArrowUp');
  await tabTo(page, 'button', 'Save');
  await page.keyboard.press('Enter');
  const link = await result.link.innerText();
  await tabTo(page, 'button', 'Copy link');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused();
  await tabTo(page, 'checkbox', /^Keep it/);
  await page.keyboard.press('Space');
  await tabTo(page, 'button', 'I have saved it');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.goto('/mine');
  await tabTo(page, 'button', 'Delete');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Deleted.');
  expect((await request.get(link)).status()).toBe(404);
});
