import type { Page } from '@playwright/test';
import { chromium } from '../../support/browsers.ts';
import { Gate, answered, expect, test } from '../../support/faults.ts';

// Browsers that keep living pages for Back are told not to by `no-store`, but not all of them obey.
test.use({
  launchOptions: { ...chromium.launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] },
});

test.beforeEach(async ({ page }) => {
  await page.route(/\/(saved)?$/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'cache-control': 'max-age=0' };
    await route.fulfill({ response, headers });
  });
  await page.addInitScript(() =>
    addEventListener('pageshow', (event) => (document.title = `back: ${event.persisted}`)),
  );
});

/** Goes back to a page that was kept alive: it fires no load event that could be waited for. */
async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveTitle('back: true');
}

test('Back to a living page after a save: an edit is a paste of its own', async ({
  page,
  form,
  attempts,
  result,
  stored,
  pastes,
}) => {
  await form.open();
  await form.submit('first version');
  await expect(result.token).toBeVisible();
  await goBack(page);
  await expect(form.text).toHaveValue('first version');
  await expect(form.line).toHaveText('');
  await form.submit('second version');
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.first().innerText())).toBe('second version');
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('Back to a living page after a save whose result did not come: the page says that it is saved', async ({
  page,
  form,
  expectOnePaste,
}) => {
  await form.open();
  await page.route('**/saved', (route) => route.fulfill({ status: 502, body: 'bad gateway' }));
  await form.submit('not shown');
  await expect(page.getByText('bad gateway')).toBeVisible();
  await page.unroute('**/saved');
  await goBack(page);
  await expect(form.line).toHaveText('A text from earlier is saved now, too. Show it');
  await page.getByRole('link', { name: 'Show it' }).click();
  await expectOnePaste('not shown');
  await goBack(page);
  await expect(form.line).toHaveText('');
});

test('away between two attempts and Back to a living page: the save goes on at once', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  const gate = new Gate();
  await form.open();
  attempts.meet(answered(503, { 'retry-after': '60' }), gate.fault);
  await form.submit('back again');
  await expect(form.line).toContainText('Trying again in 60 seconds');
  await page.goto('about:blank');
  await goBack(page);
  gate.open();
  await expectOnePaste('back again');
  expect(new Set(attempts.keys).size).toBe(1);
});
