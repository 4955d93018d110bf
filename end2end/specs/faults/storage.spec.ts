import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { broken, expect, saved, test } from '../../support/faults.ts';

const ONLY_HERE = /^The server cannot be reached\. .+ a reload before it is saved would lose the save\.$/;

/** As a browser does that forbids this site to store anything. */
async function blockStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      const get = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      Object.defineProperty(window, name, { get });
    }
  });
}

async function fillStorage(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (let length = 1 << 20; length >= 1; length >>= 1) {
      try {
        for (let i = 0; ; i++) localStorage.setItem(`other.${length}.${i}`, 'x'.repeat(length));
      } catch {
        // Full for this length; a shorter one may still fit.
      }
    }
  });
}

test('with storage blocked a save still works, and the page says that a reload loses it', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  await blockStorage(page);
  await form.open();
  attempts.meet(saved(broken));
  await form.submit('kept in memory');
  await expect(form.line).toHaveText(ONLY_HERE);
  await expectAccessible(page, 'retrying-only-here');
  await page.clock.fastForward(500);
  await expectOnePaste('kept in memory');
  await expect(page.getByText('so only this page shows the token: a reload loses it.')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expectAccessible(page, 'saved-only-here');
});

test('with storage full a save still works, and the page says that a reload loses it', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  await form.open();
  await fillStorage(page);
  attempts.meet(saved(broken));
  await form.submit('no room');
  await expect(form.line).toHaveText(ONLY_HERE);
  await expectAccessible(page, 'retrying-no-room');
  await page.clock.fastForward(500);
  await expectOnePaste('no room');
  await expectAccessible(page, 'saved-no-room');
  await expect(page.getByText('so only this page shows the token: a reload loses it.')).toBeVisible();
});

test('a text too large for storage is saved from memory', async ({ form, attempts, expectOnePaste }) => {
  const text = `${'0123456789'.repeat(100)}\n`.repeat(6_000);
  await form.open();
  attempts.meet(saved(broken));
  await form.paste(text);
  await form.save.click();
  await expect(form.line).toHaveText(ONLY_HERE);
  await form.page.clock.fastForward(500);
  await expectOnePaste(text);
});

test('after a result without storage the next save is shown in place, too', async ({
  page,
  form,
  result,
  pastes,
}) => {
  await blockStorage(page);
  await form.open();
  await form.submit('one');
  await expect(result.token).toHaveCount(1);
  await form.submit('two');
  await expect(result.token).toHaveCount(2);
  expect(await pastes()).toBe(2);
});
