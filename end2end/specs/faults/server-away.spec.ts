import { expect, test } from '../../support/faults.ts';

test('a server that is down and comes back ends as one paste', async ({
  page,
  form,
  oncebin,
  expectOnePaste,
}) => {
  await form.open();
  await oncebin.stop('SIGKILL');
  await form.submit('down and up');
  await expect(form.line).toContainText('The server cannot be reached.');
  await oncebin.start();
  await page.clock.fastForward(500);
  await expectOnePaste('down and up');
});
