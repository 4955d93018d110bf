import { answered, expect, test } from '../../support/faults.ts';

test('a person who looks again need not wait', async ({ page, form, attempts, expectOnePaste }) => {
  await form.open();
  attempts.meet(answered(503, { 'retry-after': '600' }));
  await form.submit('look again');
  await expect(form.line).toContainText('Trying again at ');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expectOnePaste('look again');
});
