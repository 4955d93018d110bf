import type { Page } from '@playwright/test';
import { type Fault, broken, saved } from '../../support/attempts.ts';
import { expect, test } from '../../support/test.ts';

/** The next post of the form meets this. */
async function meet(page: Page, fault: Fault): Promise<void> {
  await page.route('/', fault, { times: 1 });
}

test('a lost reply, then a reload, ends as one paste', async ({ page, form, pastes, expectOnePaste }) => {
  await form.open();
  await meet(page, saved(broken));
  await form.submit('lost and reloaded');
  await expect.poll(pastes).toBe(1);
  await expect(page).toHaveURL(/^chrome-error:/);
  await page.reload();
  await expectOnePaste('lost and reloaded');
});

test('a save that is stopped and pressed again ends as one paste', async ({
  page,
  form,
  pastes,
  expectOnePaste,
}) => {
  await form.open();
  await meet(
    page,
    saved((route) => route.abort('aborted')),
  );
  await form.submit('stopped');
  await expect.poll(pastes).toBe(1);
  await form.save.click();
  await expectOnePaste('stopped');
});
