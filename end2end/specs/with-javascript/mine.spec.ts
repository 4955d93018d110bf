import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { test as timeless } from '../../support/faults.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';
import { expect, test } from '../../support/test.ts';

/** The list of this browser's pastes. */
const mine = (page: Page) => ({
  items: page.getByRole('listitem'),
  status: page.getByRole('status'),
  item: (name: string) => page.getByRole('listitem').filter({ hasText: name }),
});

/** Saves a text under a title; the page of the result is open then. */
async function save(page: Page, title: string, text: string): Promise<string> {
  const form = new FormPage(page, true);
  await form.open();
  await form.title.fill(title);
  await form.submit(text);
  return new ResultPage(page).link.first().innerText();
}

test('what was saved here is listed, the newest first, without text and token', async ({ page }) => {
  const link = await save(page, 'Older <b>', 'the first text');
  await save(page, 'Newer', 'the second text');
  await page.getByRole('link', { name: 'My pastes' }).click();
  const { items } = mine(page);
  await expect(items).toHaveText([/Newer/, /Older <b>/]);
  await expect(page.getByRole('link', { name: 'Older <b>' })).toHaveAttribute('href', link);
  const until = await page.locator('time').last().getAttribute('datetime');
  const month = new Intl.DateTimeFormat('en-GB', { month: 'short' }).format(new Date(until!));
  await expect(page.locator('time').last()).toContainText(month);
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await expectAccessible(page, 'mine');
  const kept = await page.evaluate(() =>
    Object.entries(localStorage).filter(([name]) => name.startsWith('oncebin.mine.')),
  );
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toMatch(/once_|text/);
});

test('a paste without a title is listed by its link', async ({ page, form, result }) => {
  await form.open();
  await form.submit('untitled');
  const link = await result.link.innerText();
  await page.goto('/mine');
  await expect(page.getByRole('link', { name: link })).toBeVisible();
  await expectAccessible(page, 'mine-untitled');
});

test('a token that was kept deletes its paste from the list', async ({ page, result, request }) => {
  const link = await save(page, 'A mistake', 'to be deleted');
  await page.getByLabel('Keep it on this browser’s list, My pastes').check();
  await result.acknowledge.click();
  await expect(page.getByText('My pastes keeps the link and the token.')).toBeVisible();
  await expectAccessible(page, 'acknowledged-kept');
  await page.goto('/mine');
  const { item, status } = mine(page);
  await item('A mistake').getByRole('button', { name: 'Delete' }).click();
  expect((await request.get(link)).status()).toBe(200);
  await expectAccessible(page, 'mine-asks');
  await page.getByRole('button', { name: 'Delete for good?' }).click();
  await expect(status).toHaveText('Deleted. Its link leads nowhere any more.');
  await expect(status).toBeFocused();
  await expect(item('A mistake')).toHaveCount(0);
  await expectAccessible(page, 'mine-deleted');
  expect((await request.get(link)).status()).toBe(404);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/once_|mine|to be deleted/);
});

test('a delete of an unacknowledged save takes its text along', async ({ page, result }) => {
  await save(page, 'Seen', 'text in storage');
  await expect(result.token).toBeVisible();
  await page.getByLabel('Keep it on this browser’s list, My pastes').check();
  await page.goto('/mine');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete for good?' }).click();
  await expect(mine(page).status).toContainText('Deleted.');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('text in storage');
});

test('a tick is for one paste, outlives a reload, and taking it back drops the token', async ({ page }) => {
  const keep = page.getByLabel('Keep it on this browser’s list, My pastes');
  await save(page, 'One', 'one "}');
  await expect(keep).not.toBeChecked();
  await page.reload();
  await expect(keep).not.toBeChecked();
  await keep.check();
  await page.reload();
  await expect(keep).toBeChecked();
  await page.evaluate(() => Object.keys(localStorage).forEach((name) => name.includes('.save.') && localStorage.removeItem(name)));
  await save(page, 'Two "}', 'two');
  await expect(keep).not.toBeChecked();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }).match(/once_/g))).toHaveLength(1);
  await keep.check();
  await keep.uncheck();
  await page.goto('/mine');
  const { item } = mine(page);
  await expect(item('One').getByRole('button', { name: 'Delete' })).toBeVisible();
  await expect(item('Two "}').getByRole('button', { name: 'Delete' })).toHaveCount(0);
});

test('a paste that is gone already leaves the list', async ({ page, result, request }) => {
  const link = await save(page, 'Twice', 'deleted elsewhere');
  const token = await result.token.innerText();
  await page.getByLabel('Keep it on this browser’s list, My pastes').check();
  await page.goto('/mine');
  const headers = { Authorization: `Bearer ${token}` };
  const address = link.replace(/\/([^/]+)$/, '/api/pastes/$1');
  expect((await request.delete(address, { headers })).status()).toBe(204);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete for good?' }).click();
  await expect(mine(page).status).toHaveText('That paste was gone already. It is off the list now.');
  await expect(mine(page).items).toHaveCount(0);
  await expectAccessible(page, 'mine-gone');
});

test('a delete that fails says so and changes nothing', async ({ page, stored }) => {
  const link = await save(page, 'Stays', 'still there');
  await page.getByLabel('Keep it on this browser’s list, My pastes').check();
  await page.setViewportSize({ width: 320, height: 240 });
  await page.goto('/mine');
  await page.route('**/api/pastes/*', (route) => route.abort());
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete for good?' }).click();
  await expect(mine(page).status).toHaveText('It may be deleted, but no answer says so. Try again in a moment.');
  await expect(mine(page).status).toBeInViewport({ ratio: 1 });
  await expect(mine(page).item('Stays')).toBeVisible();
  await expectAccessible(page, 'mine-delete-failed');
  expect(await stored(link)).toBe('still there');
});

test('forgetting takes a line off the list, and the paste stays', async ({ page, stored }) => {
  const link = await save(page, 'Forgotten', 'not deleted');
  await save(page, 'Kept', 'kept');
  await page.goto('/mine');
  const { item, items, status } = mine(page);
  await item('Forgotten').getByRole('button', { name: 'Forget' }).click();
  await expect(status).toContainText('Forgotten. The paste is still there');
  await expectAccessible(page, 'mine-forgotten');
  await page.reload();
  await expect(items).toHaveCount(1);
  await page.getByRole('button', { name: 'Forget all' }).click();
  await expect(items).toHaveCount(1);
  await page.getByRole('button', { name: 'Forget the whole list?' }).click();
  await expect(status).toHaveText('The list is empty.');
  await expectAccessible(page, 'mine-empty');
  await page.reload();
  await expect(items).toHaveCount(0);
  expect(await stored(link)).toBe('not deleted');
});

test('an expired paste is marked once and then dropped', async ({ page }) => {
  await save(page, 'Short lived', 'gone soon');
  await page.evaluate(() => {
    const name = Object.keys(localStorage).find((name) => name.startsWith('oncebin.mine.'))!;
    const line = JSON.parse(localStorage.getItem(name)!);
    localStorage.setItem(name, JSON.stringify({ ...line, expires_at: '2026-01-01T00:00:00Z' }));
  });
  await page.goto('/mine');
  const { item, items } = mine(page);
  await expect(item('Short lived')).toContainText('Expired, and off the list from now on');
  await expect(item('Short lived').getByRole('link')).toHaveCount(0);
  await expect(item('Short lived').getByRole('button')).toHaveCount(0);
  await expectAccessible(page, 'mine-expired');
  await page.reload();
  await expect(items).toHaveCount(0);
});

test('a save in another tab appears on the open list', async ({ page, context }) => {
  await page.goto('/mine');
  await expect(mine(page).status).toHaveText('The list is empty.');
  await save(await context.newPage(), 'From elsewhere', 'text');
  await expect(mine(page).item('From elsewhere')).toBeVisible();
  await expect(page.getByText('The list is empty.')).toHaveCount(0);
});

test('a save in another tab takes neither the focus nor an open question', async ({ page, context }) => {
  await save(page, 'Asked about', 'text');
  await page.getByLabel('Keep it on this browser’s list, My pastes').check();
  await page.goto('/mine');
  await page.getByRole('button', { name: 'Delete' }).click();
  await save(await context.newPage(), 'From elsewhere', 'another text');
  await expect(mine(page).items).toHaveText([/From elsewhere/, /Asked about/]);
  await page.bringToFront();
  await expect(page.getByRole('button', { name: 'Delete for good?' })).toBeFocused();
});

// Time stands still: no look at the page takes too long for the request.
timeless('a second press of delete sends nothing', async ({ page }) => {
  await save(page, 'Once', 'text');
  await page.getByLabel('Keep it on this browser’s list, My pastes').check();
  await page.goto('/mine');
  let deletes = 0;
  let answer = () => {};
  const open = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/pastes/*', async (route) => {
    deletes++;
    await open;
    await route.continue();
  });
  for (let press = 0; press < 2; press++) {
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for good?' }).click();
  }
  await expect(mine(page).status).toHaveText('Deleting…');
  await expectAccessible(page, 'mine-deleting');
  answer();
  await expect(mine(page).status).toHaveText('Deleted. Its link leads nowhere any more.');
  expect(deletes).toBe(1);
});

test('nothing about the list is sent anywhere', async ({ page }) => {
  await save(page, 'Private', 'text');
  // The page of the result may still be asking for it.
  await page.goto('about:blank');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto('/mine');
  await page.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(mine(page).status).toContainText('Forgotten.');
  const others = requests.filter((request) => !/^GET (\/mine|\/pkg\/[^/]+|data:.*)$/.test(request));
  expect(others.filter((request) => !request.includes('image/svg'))).toEqual([]);
});

test('what another script or version wrote is left alone', async ({ page }) => {
  await page.goto('/mine');
  const foreign = {
    'oncebin.mine.broken': '{',
    'oncebin.mine.newer': '{"v":2,"id":"newer","url":"https://x.example/"}',
    'oncebin.mine.script': '{"v":1,"id":"script","url":"javascript:alert(1)"}',
  };
  await page.evaluate((items) => Object.assign(localStorage, items), foreign);
  await page.reload();
  await expect(mine(page).status).toHaveText('The list is empty.');
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual(foreign);
});

// Imitated, since it runs in Firefox, too; faults/blocked-storage.spec.ts has Chromium block it.
test('with storage blocked the page says so', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  await page.goto('/mine');
  await expect(mine(page).status).toHaveText('This browser does not let this site keep a list.');
  await expectAccessible(page, 'mine-blocked');
});
