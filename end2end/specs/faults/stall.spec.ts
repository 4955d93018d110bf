import { expectAccessible } from '../../support/accessible.ts';
import { expect, saved, silent, test } from '../../support/faults.ts';

test('a server that is silent for 60 seconds ends as one paste', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  await form.open();
  attempts.meet(saved(silent), saved(silent), saved(silent), saved(silent));
  await form.submit('patience');
  await expect(form.line).toHaveText('Saving…');
  await expectAccessible(page, 'saving');
  // An attempt with a text of this size gets 16 seconds; the wait after it is at most what stands here.
  for (const [index, backoff] of [500, 1_000, 2_000, 4_000].entries()) {
    await attempts.reach(index + 1);
    await expect(form.line).toHaveText('Saving…');
    await page.clock.fastForward(16_000);
    await expect(form.line).toHaveText(
      /^No answer yet\. Trying again in \d seconds?; nothing is saved twice\.$/,
    );
    await expect(form.text).toHaveValue('patience');
    await page.clock.fastForward(backoff);
  }
  await expectOnePaste('patience');
});
