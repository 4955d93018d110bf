import { answered, expect, saved, silent, test } from '../../support/faults.ts';

test('a reload in mid-save ends as one paste', async ({ page, form, attempts, pastes, expectOnePaste }) => {
  await form.open();
  attempts.meet(saved(silent), answered(503, { 'retry-after': '5' }));
  await form.title.fill('Reloaded');
  await form.submit('still here');
  await expect.poll(pastes).toBe(1);
  await form.reload();
  await expect(form.text).toHaveValue('still here');
  await expect(form.title).toHaveValue('Reloaded');
  await expect(form.line).toContainText('Trying again in 5 seconds');
  await page.clock.fastForward(5_000);
  await expectOnePaste('still here');
});

test('key and text are stored before the first byte is sent', async ({ page, form, attempts, expectOnePaste }) => {
  await form.open();
  const stored = new Promise<Record<string, string>>((resolve) => {
    attempts.meet(async (route) => {
      resolve(await page.evaluate(() => ({ ...localStorage })));
      await route.continue();
    });
  });
  await form.submit('safe first');
  expect((await stored)[`oncebin.save.${attempts.keys[0]}`]).toContain('safe first');
  await expectOnePaste('safe first');
});
