import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { broken, busy, expect, passed, test } from '../../support/faults.ts';
import { FormPage } from '../../support/pages.ts';

// A save that is done and was never shown: who sees nothing of it types the text again, and makes a second paste.

const SAVED = 'A text from earlier is saved now, too. Show it';

/** Saves a text; the page of results does not come. */
async function saveUnseen(page: Page, form: FormPage, text: string): Promise<void> {
  await form.open();
  await page.route('**/saved', broken);
  await form.submit(text);
  await expect.poll(() => page.url()).not.toContain('127.0.0.1');
  await page.unroute('**/saved');
}

test('a save whose result was never shown is told of on the form, until it is shown', async ({
  page,
  form,
  result,
  expectOnePaste,
}) => {
  await saveUnseen(page, form, 'nobody saw it');
  await form.open();
  await expect(form.line).toHaveText(SAVED);
  await expect(form.text).toHaveValue('');
  await expectAccessible(page, 'earlier-never-shown');
  await form.reload();
  await expect(form.line).toHaveText(SAVED);
  await page.getByRole('link', { name: 'Show it' }).click();
  await expectOnePaste('nobody saw it');
  await form.open();
  await expect(form.line).toHaveText('');
  await page.goto('/saved');
  await expect(result.token).toBeVisible();
});

test('a save that another tab made and did not show is told of, and its link is enough', async ({
  page,
  context,
  form,
  pastes,
}) => {
  await saveUnseen(page, form, 'a tab closed too early');
  await page.close();
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.line).toHaveText(SAVED);
  await next.page.getByRole('link', { name: 'Show it' }).click();
  await expect(next.page.getByRole('button', { name: 'Show the delete token' })).toBeVisible();
  await next.open();
  await expect(next.line).toHaveText('');
  expect(await pastes()).toBe(1);
});

test('a save that was never shown is told of after 24 hours, too', async ({ page, form, result, stored, pastes }) => {
  await saveUnseen(page, form, 'yesterday');
  await page.clock.fastForward('24:00:01');
  await form.open();
  await expect(form.line).toHaveText(SAVED);
  await page.getByRole('link', { name: 'Show it' }).click();
  expect(await stored(await result.link.innerText())).toBe('yesterday');
  expect(await pastes()).toBe(1);
});

test('a save that an older client left is told of', async ({ page, form, result, pastes }) => {
  await form.open();
  await form.submit('before the mark');
  await expect(result.token).toBeVisible();
  await page.evaluate(() => {
    const name = Object.keys(localStorage).find((name) => name.startsWith('oncebin.save.'))!;
    const { shown, ...old } = JSON.parse(localStorage[name]);
    localStorage[name] = JSON.stringify(old);
  });
  await form.open();
  await expect(form.line).toHaveText(SAVED);
  expect(await pastes()).toBe(1);
});

test('a result shown in one tab sends nothing from another', async ({ page, context, savePutOff, attempts, pastes }) => {
  await savePutOff('marked elsewhere');
  attempts.meet(passed, busy);
  const other = new FormPage(await context.newPage(), true);
  await other.open();
  await expect(other.line).toHaveText(SAVED);
  await attempts.reach(3);
  await attempts.over(page);
  await other.page.getByRole('link', { name: 'Show it' }).click();
  await expect(other.page.getByRole('button', { name: 'Show the delete token' })).toBeVisible();
  await attempts.settle(page, 3);
  expect(await pastes()).toBe(1);
});
