import { answered, expect, saved, silent, test } from '../../support/faults.ts';
import { FormPage } from '../../support/pages.ts';

// Who sees nothing types the text again, and makes a second paste.
test('a new tab says that a text from earlier is being saved', async ({ page, context, form, attempts }) => {
  await form.open();
  attempts.allMeet(answered(503, { 'retry-after': '60' }));
  await form.submit('closed too early');
  await expect(form.line).toContainText('60 seconds');
  await page.close();
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect.poll(() => attempts.keys.length).toBe(2);
  await expect(next.line).not.toHaveText('');
});

// Promise 5: the person is told, and decides.
test('a new tab tells of a save found after 25 hours', async ({ page, context, form, attempts, pastes }) => {
  await form.open();
  attempts.meet(saved(silent));
  await form.submit('long ago');
  await expect.poll(pastes).toBe(1);
  await page.close();
  const next = new FormPage(await context.newPage(), true);
  await next.page.clock.fastForward('25:00:00');
  await next.open();
  await expect(next.line).not.toHaveText('');
});

// The text is kept; the person must learn where.
test('a new tab tells of a refused text', async ({ page, context, form }) => {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await page.close();
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.line).not.toHaveText('');
});
