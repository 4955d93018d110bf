import { broken, expect, test } from '../../support/faults.ts';

// No secure context: no `crypto.randomUUID`, no `navigator.clipboard`, no `navigator.locks`.
test.use({
  baseURL: async ({ oncebin }, use) => use(oncebin.url.replace('127.0.0.1', 'plain.test')),
});

test('on plain http a save works, retry included', async ({ page, form, attempts, expectOnePaste }) => {
  await form.open();
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  attempts.meet(broken);
  await form.submit('no padlock');
  await expect(form.line).toContainText('The server cannot be reached.');
  await page.clock.fastForward(500);
  await expectOnePaste('no padlock');
});

test('on plain http the copy buttons work', async ({ page, form, result, pastes }) => {
  await page.setViewportSize({ width: 320, height: 320 });
  await form.open();
  await form.submit('to copy');
  await expect(result.token).toBeVisible();
  const [link, token] = [await result.link.innerText(), await result.token.innerText()];
  for (const [name, text] of [
    ['Copy link', link],
    ['Copy token', token],
  ]) {
    const button = page.getByRole('button', { name });
    await button.focus();
    const place = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Copied' }).last()).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(place);
    const other = await page.context().newPage();
    await other.setContent('<textarea autofocus></textarea>');
    await other.getByRole('textbox').press('Control+V');
    await expect(other.getByRole('textbox')).toHaveValue(text);
    await other.close();
  }
  expect(await pastes()).toBe(1);
});
