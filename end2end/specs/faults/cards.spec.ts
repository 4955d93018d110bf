import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { Gate, answered, broken, busy, expect, passed, test } from '../../support/faults.ts';

// What the page of results says of a save that is not done when the page is opened.

/** The page of results, in a tab of its own. */
async function openResults(page: Page): Promise<Page> {
  const results = await page.context().newPage();
  await results.goto('/saved');
  return results;
}

test('the page of results says that a save is under way, and shows it when it is done', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  const gate = new Gate();
  await form.open();
  attempts.meet(busy, gate.fault);
  await form.title.fill('A title that says what it is');
  await form.submit('under way');
  await expect(form.line).toContainText('Trying again at ');
  await page.goto('/saved');
  await expect(page.getByText('Saving…')).toBeVisible();
  await expect(page.getByText('A title that says what it is')).toBeVisible();
  await expectAccessible(page, 'saved-saving');
  gate.open();
  await expectOnePaste('under way');
});

test('the page of results says that it is offline, and goes on when the network is back', async ({
  page,
  context,
  savePutOff,
  attempts,
  expectOnePaste,
}) => {
  await savePutOff('on a train');
  attempts.meet(busy);
  await page.goto('/saved');
  await expect(page.getByText('Trying again at ')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline. Saving goes on when the network is back.')).toBeVisible();
  await page.getByText('Stop trying').click();
  await expectAccessible(page, 'saved-offline');
  await context.setOffline(false);
  await expectOnePaste('on a train');
});

for (const [name, fault, why] of [
  ['a busy server', busy, 'The server cannot send it just now. Trying again at '],
  ['a broken connection', broken, 'The server cannot be reached. Trying again in '],
] as const) {
  test(`${name} keeps only the token of a save that is shown: its link stays`, async ({
    page,
    form,
    attempts,
    result,
    expectOnePaste,
  }) => {
    await form.open();
    attempts.meet(passed);
    attempts.allMeet(fault);
    await form.submit('there already');
    await expect(page.getByText(`Saved. Only its delete token is still to be fetched. ${why}`)).toBeVisible();
    await expect(result.link).toBeVisible();
    await expect(page.getByText('Stop trying')).toBeHidden();
    await expectAccessible(page, `saved-fetching-${name.replace(/.* /, '')}`);
    await form.open();
    await expect(form.text).toHaveValue('');
    attempts.pass();
    await page.goto('/saved');
    await expectOnePaste('there already');
  });
}

test('a refusal of what is there already leaves its link, and no text to be saved again', async ({
  page,
  form,
  attempts,
  result,
  expectOnePaste,
}) => {
  await form.open();
  attempts.meet(passed, answered(403));
  await form.submit('there all the same');
  await expect(
    page.getByText('Saved. Only its delete token is still to be fetched. The server did not take it (status 403).'),
  ).toBeVisible();
  await expect(result.link).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open in the form' })).toBeHidden();
  await page.reload();
  await expectOnePaste('there all the same');
});

test('a save that another tab finishes and acknowledges leaves its link here', async ({
  page,
  savePutOff,
  attempts,
  result,
  pastes,
}) => {
  await savePutOff('shown in two tabs');
  // What was saved in the form's tab is asked for here at once, without luck.
  attempts.meet(busy, passed, busy);
  const results = await openResults(page);
  await expect(results.getByText('Trying again at ')).toBeVisible();
  await page.goto('/saved');
  const link = await result.link.innerText();
  await attempts.reach(4);
  await expect(results.getByText('Trying again at ')).toBeVisible();
  await result.acknowledge.click();
  await expect(results.getByText(`This text was saved in another tab. ${link}`)).toBeVisible();
  await expectAccessible(results, 'saved-settled');
  expect(await pastes()).toBe(1);
});

test('a save that another tab stops leaves a word here', async ({ page, savePutOff, attempts, pastes }) => {
  await savePutOff('stopped in the form');
  attempts.allMeet(busy);
  const results = await openResults(page);
  await expect(results.getByText('Trying again at ')).toBeVisible();
  await page.getByText('Stop trying').click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(results.getByText('This text was saved, or given up, in another tab.')).toBeVisible();
  await expectAccessible(results, 'saved-settled-somehow');
  expect(await pastes()).toBe(0);
});

test('a paste that is gone already is not there to be deleted', async ({ page, form, result, request }) => {
  await form.open();
  await form.submit('deleted elsewhere');
  const [link, token] = [await result.link.innerText(), await result.token.innerText()];
  const headers = { Authorization: `Bearer ${token}` };
  await request.delete(link.replace(/\/([^/]+)$/, '/api/pastes/$1'), { headers });
  await page.getByText('Delete this paste').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('The paste was gone already.')).toBeVisible();
  await expect(result.token).toBeHidden();
  await expectAccessible(page, 'saved-gone');
});

test('a stopped save whose text was edited since comes back in the next empty form', async ({
  page,
  form,
  savePutOff,
  attempts,
  pastes,
}) => {
  await savePutOff('as it was sent');
  attempts.allMeet(busy);
  await form.text.fill('as it is now');
  await page.getByText('Stop trying').click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(form.line).toHaveText('Stopped. Its text is kept and comes back in the next empty form.');
  await expectAccessible(page, 'stopped-parked');
  await expect(form.text).toHaveValue('as it is now');
  expect(await pastes()).toBe(0);
});
