import { expectAccessible } from '../../support/accessible.ts';
import { broken, expect, saved, test } from '../../support/faults.ts';
import { ONLY_HERE, fillStorage } from '../../support/misfortunes.ts';

test('with storage full a save still works, and the page says that a reload loses it', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  await form.open();
  await fillStorage(page);
  attempts.meet(saved(broken));
  await form.submit('no room');
  await expect(form.line).toHaveText(ONLY_HERE);
  await expectAccessible(page, 'retrying-no-room');
  await page.clock.fastForward(500);
  await expectOnePaste('no room');
  await expectAccessible(page, 'saved-no-room');
  await expect(page.getByText('so only this page shows the token: a reload loses it.')).toBeVisible();
});

test('a text too large for storage is saved from memory', async ({ form, attempts, expectOnePaste }) => {
  const text = `${'0123456789'.repeat(100)}\n`.repeat(6_000);
  await form.open();
  attempts.meet(saved(broken));
  await form.paste(text);
  await form.save.click();
  await expect(form.line).toHaveText(ONLY_HERE);
  await form.page.clock.fastForward(500);
  await expectOnePaste(text);
});
