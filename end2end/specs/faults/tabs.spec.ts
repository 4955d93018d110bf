import type { Page } from '@playwright/test';
import { Gate, expect, saved, silent, test } from '../../support/faults.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';

/** A copy of the tab as browsers make it: the same address, and a copy of its sessionStorage. */
async function duplicate(page: Page): Promise<FormPage> {
  const copy = page.context().waitForEvent('page');
  await page.evaluate(() => window.open(location.href));
  const form = new FormPage(await copy, true);
  await form.page.waitForLoadState();
  await form.ready();
  return form;
}

/** How many attempts of this browser wait until another tab's is over. */
async function waiting(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.locks.query()).pending!.length);
}

test('a tab duplicated in mid-save waits for the first one, and both show one paste', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  const gate = new Gate();
  await form.open();
  attempts.meet(gate.fault);
  await form.submit('twice the same');
  await expect(form.line).toHaveText('Saving…');
  const copy = await duplicate(page);
  await expect(copy.text).toHaveValue('twice the same');
  await expect.poll(() => waiting(page)).toBe(1);
  expect(attempts.keys).toHaveLength(1);
  gate.open();
  await expectOnePaste('twice the same');
  await expect(new ResultPage(copy.page).token).toBeVisible();
  expect(new Set(attempts.keys).size).toBe(1);
});

test('a duplicated tab that edits and saves has a key of its own', async ({
  page,
  form,
  attempts,
  result,
  stored,
  pastes,
}) => {
  await form.open();
  await form.submit('the original');
  await expect(result.token).toBeVisible();
  await page.goBack();
  const copy = await duplicate(page);
  await copy.submit('the edited copy');
  const edited = new ResultPage(copy.page);
  await expect(edited.token).toBeVisible();
  expect(await stored(await edited.link.first().innerText())).toBe('the edited copy');
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('two tabs save two texts and neither loses the other', async ({
  page,
  context,
  form,
  attempts,
  stored,
  pastes,
}) => {
  const other = new FormPage(await context.newPage(), true);
  await form.open();
  await other.open();
  attempts.meet(saved(silent), saved(silent));
  await form.submit('from the first tab');
  await other.submit('from the second tab');
  await expect.poll(pastes).toBe(2);
  await other.page.close();
  await page.goto('/saved');
  const result = new ResultPage(page);
  await expect(result.link).toHaveCount(2);
  const texts = await Promise.all((await result.link.allInnerTexts()).map(stored));
  expect(texts.toSorted()).toEqual(['from the first tab', 'from the second tab']);
  expect(await pastes()).toBe(2);
});
