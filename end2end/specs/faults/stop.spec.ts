import { expectAccessible } from '../../support/accessible.ts';
import { answered, broken, busy, expect, saved, test } from '../../support/faults.ts';

const CONSEQUENCE = /^The text is kept\. It may be saved already/;

test('a save that is not answered can be stopped, and its text stays', async ({ page, form, attempts, pastes }) => {
  await form.open();
  await expect(page.getByText('Stop trying')).toBeHidden();
  attempts.allMeet(saved(broken));
  await form.submit('never answered');
  await expect(form.line).toContainText('The server cannot be reached.');
  await page.getByText('Stop trying').click();
  await expect(page.getByText(CONSEQUENCE)).toBeVisible();
  await expectAccessible(page, 'stop-trying');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(form.line).toHaveText('Stopped. Your text is still in the form.');
  await expect(form.text).toBeFocused();
  await expectAccessible(page, 'stopped');
  await expect(page.getByText('Stop trying')).toBeHidden();
  await page.clock.fastForward('01:00:00');
  await attempts.settle(page, 1);
  const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, sessionStorage['oncebin.key']]));
  expect(await kept()).not.toContain(attempts.keys[0]);
  await form.reload();
  await expect(form.text).toHaveValue('never answered');
  await attempts.settle(page, 1);
  attempts.pass();
  await form.save.click();
  await expect(page).toHaveURL(/\/saved$/);
  // What the page had said: the first one was saved after all.
  await expect.poll(pastes).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('a second press of Stop does not stop the save that stood in line', async ({
  page,
  form,
  attempts,
  savePutOff,
  pastes,
}) => {
  await savePutOff('the first');
  attempts.allMeet(busy);
  await form.submit('the second');
  await page.getByText('Stop trying').click();
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.click();
  await expect(form.line).toHaveText(
    /^The server cannot save it just now\. Trying again at .+ The save before it is stopped\. Its text is kept and comes back in the next empty form\.$/,
  );
  await expect(stop).toBeHidden();
  await expect(page.getByText('Stop trying')).toBeVisible();
  await expectAccessible(page, 'stopped-before');
  attempts.pass();
  await page.clock.fastForward(600_000);
  await expect(page).toHaveURL(/\/saved$/);
  expect(await pastes()).toBe(1);
});

test('what stands in line goes on when the save before it is stopped, and no text is lost', async ({
  page,
  form,
  savePutOff,
  expectOnePaste,
}) => {
  await savePutOff('stuck');
  await form.submit('in line');
  await page.getByText('Stop trying').click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expectOnePaste('in line');
  await page.getByRole('link', { name: 'New paste' }).click();
  await form.ready();
  await expect(form.text).toHaveValue('stuck');
});

test('a wait of minutes is told by the clock', async ({ page, form, attempts, pastes }) => {
  await form.open();
  attempts.meet(answered(429, { 'retry-after': '480' }));
  await form.submit('when?');
  const at = await page.evaluate(() =>
    new Date(Date.now() + 480_000).toLocaleTimeString('en-GB', { timeStyle: 'short' }),
  );
  await expect(form.line).toHaveText(`The server asks for a pause. Trying again at ${at}; nothing is saved twice.`);
  await expect(form.text).toHaveValue('when?');
  expect(await pastes()).toBe(0);
  await expectAccessible(page, 'retrying-minutes');
});
