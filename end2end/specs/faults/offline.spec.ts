import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/faults.ts';

test('offline, the save waits, and goes on at once when the network is back', async ({
  page,
  context,
  form,
  expectOnePaste,
}) => {
  await form.open();
  await context.setOffline(true);
  await form.submit('written on a train');
  await expect(form.line).toHaveText('You are offline. Saving goes on when the network is back.');
  await expect(form.text).toHaveValue('written on a train');
  await expectAccessible(page, 'offline');
  await context.setOffline(false);
  await expectOnePaste('written on a train');
});

test('a long time offline changes nothing', async ({ page, context, form, attempts, expectOnePaste }) => {
  await form.open();
  await context.setOffline(true);
  await form.submit('a long tunnel');
  for (let minutes = 0; minutes < 10; minutes++) {
    await attempts.over(page);
    await page.clock.fastForward('01:00');
  }
  await attempts.over(page);
  await expect(form.line).toContainText('You are offline.');
  await context.setOffline(false);
  await expectOnePaste('a long tunnel');
});
