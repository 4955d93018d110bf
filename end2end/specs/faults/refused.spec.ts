import { expectAccessible } from '../../support/accessible.ts';
import { answered, expect, test } from '../../support/faults.ts';

test('a refused text stays, and what is changed is saved with a new key', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await expect(form.line).toContainText('Your text is still here.');
  await expect(form.text).toHaveValue('qapla');
  await expectAccessible(page, 'refused');
  await form.syntax.fill('');
  await form.save.click();
  await expectOnePaste('qapla');
  expect(new Set(attempts.keys).size).toBe(2);
});

test('a final answer is final', async ({ page, form, attempts, pastes }) => {
  await form.open();
  await form.text.fill('no');
  const statuses = [400, 409, 413, 415, 422];
  for (const [index, status] of statuses.entries()) {
    attempts.meet(answered(status));
    await form.save.click();
    await expect(form.line).toContainText(`(status ${status}). Your text is still here.`);
    await page.clock.fastForward('23:00:00');
    await attempts.settle(page, index + 1);
  }
  await expect(form.text).toHaveValue('no');
  await expectAccessible(page, 'refused-mute');
  // Each press was one attempt, with a key of its own.
  expect(new Set(attempts.keys).size).toBe(statuses.length);
  expect(await pastes()).toBe(0);
});

test('a text over the limit is not sent at all', async ({ page, form, attempts, pastes }) => {
  const text = `${'é'.repeat(512)}\n`.repeat(10 * 1024);
  await form.open();
  await form.paste(text);
  await form.save.click();
  await expect(form.line).toHaveText('This text is 10 KiB over the limit of 10 MiB. Shorten it to save it.');
  await attempts.settle(page, 0);
  expect(await pastes()).toBe(0);
  expect(await form.text.inputValue()).toBe(text);
});
