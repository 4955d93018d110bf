import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('Tab inserts a tab that can be undone; Esc, then Tab, leaves the text', async ({ page, form }) => {
  await form.open();
  await expect(form.text).toBeFocused();
  await page.keyboard.type('a');
  await page.keyboard.press('Tab');
  await page.keyboard.type('b');
  await expect(form.text).toHaveValue('a\tb');
  await expect(form.text).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(form.text).not.toBeFocused();
  await expect(form.text).toHaveValue('a\tb');
  await form.text.focus();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(form.text).toHaveValue(/^a?\t?$/);
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(form.text).toHaveValue(/^a?$/);
});

test('Shift+Tab goes back, and Esc counts for the next key only', async ({ page, form }) => {
  await form.open();
  await page.keyboard.press('Shift+Tab');
  await expect(form.title).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await page.keyboard.type('x');
  await page.keyboard.press('Tab');
  await expect(form.text).toHaveValue('x\t');
});

test('how to leave the text is read out with it', async ({ form }) => {
  await form.open();
  await expect(form.text).toHaveAccessibleDescription(/Tab inserts a tab; Esc, then Tab, leaves the text\./);
});

test('the size is told in bytes of UTF-8 while the text is typed', async ({ page, form }) => {
  await form.open();
  const size = page.getByText('of 10 MiB', { exact: false }).first();
  await expect(size).toHaveText('0 bytes of 10 MiB');
  await form.text.pressSequentially('aé😀');
  await expect(size).toHaveText('7 bytes of 10 MiB');
  await form.paste('x'.repeat(1536));
  await expect(size).toHaveText('1.5 KiB of 10 MiB');
  await form.paste(`${'é'.repeat(511)} \n`.repeat(1 << 10));
  await expect(size).toHaveText('1 MiB of 10 MiB');
  await form.paste('');
  await expect(size).toHaveText('0 bytes of 10 MiB');
});

test('a text over the limit is told while it is typed, and nothing is sent', async ({
  page,
  form,
  attempts,
  pastes,
}) => {
  await form.open();
  const limit = (bytes: number) =>
    page.locator('form[data-api]').evaluate((form: HTMLElement, bytes) => (form.dataset.maxBytes = `${bytes}`), bytes);
  await limit(1 << 20);
  const full = `${'x'.repeat(1023)}\n`.repeat(1 << 10);
  await form.paste(`${full}x`);
  await expect(form.line).toHaveText('This text is 1 byte over the limit of 1 MiB. Shorten it to save it.');
  await expect(form.line).toHaveRole('alert');
  await form.save.click();
  await expect(form.line).toHaveText('This text is 1 byte over the limit of 1 MiB. Shorten it to save it.');
  await attempts.settle(page, 0);
  expect(await pastes()).toBe(0);
  await form.paste(full);
  await expect(form.line).toHaveText('');
  await expect(form.line).toHaveRole('status');
  await limit(1 << 10);
  await form.paste('A line that is far too long.\n'.repeat(100));
  await expect(form.line).toHaveText('This text is 1.8 KiB over the limit of 1 KiB. Shorten it to save it.');
  await expectAccessible(page, 'too-large');
});

test('typing into a text of 100,000 lines stays quick', async ({ page, form }) => {
  await form.open();
  await form.paste(`${'x'.repeat(49)}\n`.repeat(100_000));
  await form.text.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0));
  const quickest = await form.text.evaluate((area: HTMLTextAreaElement) => {
    let quickest = Infinity;
    for (let i = 0; i < 10; i++) {
      const start = performance.now();
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      quickest = Math.min(quickest, performance.now() - start);
    }
    return quickest;
  });
  // Were the text counted at every key, each would take more than ten times as long; a busy machine delays only some.
  expect(quickest).toBeLessThan(50);
  await expect(page.getByText('4.7 MiB of 10 MiB')).toBeVisible();
});

test('a syntax is found by its other names', async ({ page, form }) => {
  await form.open();
  const label = await page.locator('datalist option[value="cpp"]').getAttribute('label');
  expect(label).toBe('cpp (c++, cc, cxx, hpp)');
  await form.syntax.fill('c++');
  await form.submit('int main() {}');
  await expect(page).toHaveURL(/\/saved$/);
});
