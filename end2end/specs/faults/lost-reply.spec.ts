import { type Fault, broken, expect, saved, test } from '../../support/faults.ts';

/** The server saves the paste, and its 201 breaks off. */
const cutShort: Fault = async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).slice(0, 40) });
};

test('a 201 that breaks off is a lost reply and ends as one paste', async ({ page, form, attempts, expectOnePaste }) => {
  await form.open();
  attempts.meet(cutShort);
  await form.submit('cut short');
  await expect(form.line).toHaveText(
    'The server cannot be reached. Trying again in 1 second; nothing is saved twice.',
  );
  await page.clock.fastForward(500);
  await expectOnePaste('cut short');
  expect(new Set(attempts.keys).size).toBe(1);
});

test('a reply that is lost once ends as one paste', async ({ page, form, attempts, expectOnePaste }) => {
  await form.open();
  attempts.meet(saved(broken));
  await form.submit('lost and found');
  await expect(form.line).toHaveText(
    'The server cannot be reached. Trying again in 1 second; nothing is saved twice.',
  );
  await expect(form.text).toHaveValue('lost and found');
  await page.clock.fastForward(500);
  await expectOnePaste('lost and found');
});

test('every attempt carries the key of the first', async ({ page, form, attempts, expectOnePaste }) => {
  await form.open();
  attempts.meet(broken, saved(broken), saved(broken));
  await form.submit('three times lost');
  for (const [index, backoff] of [500, 1_000, 2_000].entries()) {
    await attempts.reach(index + 1);
    await expect(form.line).toContainText('The server cannot be reached.');
    await page.clock.fastForward(backoff);
  }
  await expectOnePaste('three times lost');
  // The last one is how the page of results gets what it shows.
  expect(attempts.keys).toEqual(Array(5).fill(attempts.keys[0]));
});
