import { expectAccessible } from '../../support/accessible.ts';
import type { FormPage } from '../../support/pages.ts';
import { answered, expect, test } from '../../support/faults.ts';

/** Whether something around the line is busy: then a screen reader may keep the line back. */
const isHeldBack = ({ line }: FormPage) =>
  line.evaluate((element) => element.closest('[aria-busy="true"]') !== null);

test('what the line says while a save is under way is not held back', async ({ form, attempts, pastes }) => {
  await form.open();
  attempts.meet(answered(503, { 'retry-after': '60' }));
  await form.submit('aloud');
  await expect(form.line).toContainText('60 seconds');
  await expect(form.line).toHaveAttribute('aria-live', 'polite');
  expect(await isHeldBack(form)).toBe(false);
  await expect(form.save).toHaveAttribute('aria-busy', 'true');
  await expect(form.text).toHaveValue('aloud');
  expect(await pastes()).toBe(0);
});

test('a final word interrupts', async ({ form, attempts, pastes }) => {
  await form.open();
  attempts.meet(answered(413));
  await form.submit('no');
  await expect(form.line).toHaveRole('alert');
  await expect(form.line).toHaveAttribute('aria-live', 'assertive');
  await expect(form.save).toHaveAttribute('aria-busy', 'false');
  await expect(form.text).toHaveValue('no');
  expect(await pastes()).toBe(0);
});

test('a refused file does not hide the wait for the save under way', async ({ page, form, attempts, pastes }) => {
  await form.open();
  attempts.meet(answered(503, { 'retry-after': '60' }));
  await form.submit('going on');
  await expect(form.line).toContainText('60 seconds');
  await page.getByLabel('Open a file').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await expect(form.line).toContainText('The form has a text already, which stays.');
  await expect(form.line).toContainText('Trying again in 60 seconds');
  await expect(form.text).toHaveValue('going on');
  expect(await pastes()).toBe(0);
  await expectAccessible(page, 'file-refused-while-retrying');
});
