import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { answered, expect, saved, silent, test } from '../../support/faults.ts';
import { FormPage } from '../../support/pages.ts';

// Who sees nothing types the text again, and makes a second paste.

const SAVING = 'A text from earlier is still being saved. Show it';
const SAVED = 'A text from earlier is saved now, too. Show it';
const OPEN = 'A text from earlier could not be saved and waits for you. Show it';
const OLD = 'A text was first sent more than 24 hours ago, may be saved already, and waits for you. Show it';

const busy = answered(503, { 'retry-after': '60' });

/** Saves a text in a tab of its own, which is closed while the save is unresolved. `page` holds the clock. */
async function leaveUnsaved(page: Page, text: string, attempt: () => Promise<void>): Promise<void> {
  const form = new FormPage(await page.context().newPage(), true);
  await form.open();
  await form.submit(text);
  await attempt();
  await form.page.close();
}

async function openNext(page: Page): Promise<FormPage> {
  const next = new FormPage(await page.context().newPage(), true);
  await next.open();
  return next;
}

/** The page of results shows the text that the line speaks of. */
async function showIt(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: 'Show it' }).click();
  await expect(page.getByText(text, { exact: true })).toBeVisible();
}

test('a new tab says that a text from earlier is being saved, and that it is', async ({
  page,
  attempts,
  pastes,
}) => {
  attempts.meet(busy, busy);
  await leaveUnsaved(page, 'closed too early', () => attempts.reach(1));
  const next = await openNext(page);
  await attempts.settle(next.page, 2);
  await expect(next.line).toHaveText(SAVING);
  await expectAccessible(next.page, 'earlier-saving');
  await expect(next.text).toHaveValue('');
  expect(await pastes()).toBe(0);
  await page.clock.fastForward(60_000);
  await expect(next.line).toHaveText(SAVED);
  expect(await pastes()).toBe(1);
  expect(new Set(attempts.keys).size).toBe(1);
});

// Promise 5: the person is told, and decides.
test('a new tab tells of a save found after 25 hours', async ({ page, attempts, pastes }) => {
  attempts.meet(saved(silent));
  await leaveUnsaved(page, 'long ago', async () => expect.poll(pastes).toBe(1));
  await page.clock.fastForward('25:00:00');
  const next = await openNext(page);
  await expect(next.line).toHaveText(OLD);
  await expectAccessible(next.page, 'earlier-old');
  await showIt(next.page, 'long ago');
  await attempts.settle(next.page, 1);
  await expectAccessible(next.page, 'saved-stale');
  expect(await pastes()).toBe(1);
});

// The text is kept; the person must learn where.
test('a new tab tells of a refused text', async ({ form, page, pastes }) => {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await page.close();
  const next = await openNext(page);
  await expect(next.line).toHaveText(OPEN);
  await expectAccessible(next.page, 'earlier-refused');
  await showIt(next.page, 'qapla');
  await expect(next.page.getByText('Open it in the form to change it.')).toBeVisible();
  expect(await pastes()).toBe(0);
});

test('a new tab tells when a text from earlier is refused after all', async ({ page, attempts, pastes }) => {
  attempts.meet(busy, answered(413));
  await leaveUnsaved(page, 'too much', () => attempts.reach(1));
  const next = await openNext(page);
  await expect(next.line).toHaveText(OPEN);
  await showIt(next.page, 'too much');
  expect(await pastes()).toBe(0);
});

test('a new tab tells when a text from earlier becomes too old to be sent', async ({ page, attempts, pastes }) => {
  attempts.allMeet(busy);
  await leaveUnsaved(page, 'all day long', () => attempts.reach(1));
  const next = await openNext(page);
  await attempts.settle(next.page, 2);
  await expect(next.line).toHaveText(SAVING);
  await page.clock.fastForward('24:00:01');
  await expect(next.line).toHaveText(OLD);
  await attempts.settle(next.page, 2);
  expect(await pastes()).toBe(0);
});

test('of several texts from earlier the line speaks of the one that waits for the person', async ({
  page,
  attempts,
  pastes,
}) => {
  attempts.allMeet(busy);
  await leaveUnsaved(page, 'an old one', () => attempts.reach(1));
  await page.clock.fastForward('25:00:00');
  await leaveUnsaved(page, 'a new one', () => attempts.reach(2));
  await leaveUnsaved(page, 'and another', () => attempts.reach(4));
  const next = await openNext(page);
  await attempts.settle(next.page, 6);
  await expect(next.line).toHaveText(OLD);
  attempts.pass();
  await page.clock.fastForward(60_000);
  await expect.poll(pastes).toBe(2);
  await attempts.settle(next.page, 8);
  await expect(next.line).toHaveText(OLD);
});

test('a text that was refused more than 24 hours ago has left this browser', async ({ page, form, pastes }) => {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await page.goto('about:blank');
  await page.clock.fastForward('24:00:01');
  const next = await openNext(page);
  await expect(next.line).toHaveText('');
  expect(await next.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/qapla|oncebin\.save/);
  expect(await pastes()).toBe(0);
});
