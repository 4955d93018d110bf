import { expect, test } from '../../support/hands.ts';

test('a person who looks again need not wait, and looking away sends nothing', async ({
  page,
  form,
  hands,
  attempts,
  savePutOff,
  expectOnePaste,
}) => {
  await savePutOff('look again');
  await hands.hide(page);
  await page.clock.fastForward(1_000);
  await attempts.settle(page, 1);
  await expect(form.line).toContainText('Trying again at ');
  await hands.show(page);
  await expectOnePaste('look again');
});
