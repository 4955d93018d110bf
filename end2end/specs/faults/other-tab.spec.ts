import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { busy, expect, passed, test } from '../../support/faults.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';

/** Everything of one kind that this browser's storage holds. */
const items = (page: Page, kind: string) =>
  page.evaluate(
    (prefix) => Object.keys(localStorage).filter((name) => name.startsWith(prefix)).map((name) => localStorage[name]),
    `oncebin.${kind}.`,
  );

for (const how of ['as it was', 'after a reload'] as const) {
  test(`a save that another tab finishes and acknowledges is over here, too, ${how}`, async ({
    page,
    context,
    form,
    attempts,
    savePutOff,
    pastes,
  }) => {
    await savePutOff('finished elsewhere');
    if (how === 'after a reload') {
      attempts.meet(busy);
      await form.reload();
      await expect(form.line).toContainText('Trying again at ');
    }
    const sent = attempts.keys.length;
    // The other tab saves it; this one asks for the result at once, and has no luck.
    attempts.meet(passed, busy);
    const other = new FormPage(await context.newPage(), true);
    await other.open();
    await expect(other.line).toHaveText('A text from earlier is saved now, too. Show it');
    await attempts.reach(sent + 2);
    await expect(form.line).toContainText('Trying again at ');
    await other.page.getByRole('link', { name: 'Show it' }).click();
    await other.page.getByRole('button', { name: 'Show the delete token' }).click();
    await other.page.getByLabel('Keep it on this browser’s list, My pastes').check();
    const result = new ResultPage(other.page);
    const link = await result.link.innerText();
    await result.acknowledge.click();
    await expect(form.line).toHaveText(`This text was saved in another tab. ${link}`);
    await expect(form.text).toHaveValue('finished elsewhere');
    await expectAccessible(page, 'settled');
    await page.clock.fastForward('00:20:00');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await attempts.settle(page, sent + 3);
    expect(new Set(attempts.keys).size).toBe(1);
    expect(await items(page, 'save')).toEqual([]);
    const [line] = await items(page, 'mine');
    expect(JSON.parse(line).delete_token).toMatch(/^once_/);
    expect(await pastes()).toBe(1);
  });
}

test('a save that another tab stops is over here, too, and its text is kept', async ({
  page,
  context,
  form,
  attempts,
  savePutOff,
  pastes,
}) => {
  await savePutOff('stopped elsewhere');
  attempts.allMeet(busy);
  const results = await context.newPage();
  await results.goto('/saved');
  await results.getByText('Stop trying').click();
  await expectAccessible(results, 'saved-retrying');
  await results.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(results.getByText('Stopped. Its text is kept and comes back in the next empty form.')).toBeFocused();
  await expectAccessible(results, 'saved-stopped');
  await expect(form.line).toHaveText(
    'This text was saved, or given up, in another tab. What was saved is in the list: My pastes',
  );
  await attempts.settle(page, 2);
  await expectAccessible(page, 'settled-somehow');
  await page.clock.fastForward('00:20:00');
  await attempts.settle(page, 2);
  expect(await pastes()).toBe(0);
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.text).toHaveValue('stopped elsewhere');
});

test('a result that another tab has dealt with is not taken back to the list', async ({
  page,
  context,
  form,
  result,
  pastes,
}) => {
  await form.open();
  await form.submit('forgotten at once');
  await expect(result.token).toBeVisible();
  const other = await context.newPage();
  await other.goto('/mine');
  await other.getByRole('button', { name: 'Forget', exact: true }).click();
  await page.reload();
  await expect(result.token).toBeVisible();
  expect(await items(page, 'mine')).toEqual([]);
  expect(await pastes()).toBe(1);
});

test('a save is told from a storage that was emptied: it goes on', async ({
  page,
  form,
  attempts,
  savePutOff,
  expectOnePaste,
}) => {
  await savePutOff('storage emptied');
  await page.evaluate(() => localStorage.clear());
  attempts.meet(busy);
  await page.clock.fastForward(600_000);
  // It says so while it sends already.
  await attempts.settle(page, 2);
  await expect(form.line).toContainText('Trying again at ');
  await expect(form.line).toContainText('storage was emptied: a reload before it is saved would lose the save.');
  await expectAccessible(page, 'retrying-emptied');
  await page.clock.fastForward(600_000);
  await expectOnePaste('storage emptied');
});
