import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/faults.ts';
import { hide } from '../../support/hiding.ts';
import { FormPage } from '../../support/pages.ts';

/** Ends a page without telling it, as a phone does that needs its memory. */
async function kill(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crash = page.waitForEvent('crash');
  devtools.send('Page.crash').catch(() => {});
  await crash;
  await page.close();
}

test('the draft of a page that was ended while hidden is offered', async ({ page, context, form }) => {
  await form.open();
  await form.text.fill('written on a phone');
  await hide(page, true);
  await kill(page);
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.text).toHaveValue('');
  await expect(next.line).toHaveText('A text that you were writing in another tab is kept. Bring it here');
  await expectAccessible(next.page, 'hidden-draft');
  await next.page.getByRole('button', { name: 'Bring it here' }).click();
  await expect(next.text).toHaveValue('written on a phone');
  await expect(next.line).toHaveText('');
  await next.reload();
  await expect(next.text).toHaveValue('written on a phone');
});

test('a page that is shown again has its draft for itself', async ({ page, context, form }) => {
  await form.open();
  await form.text.fill('still being written');
  await hide(page, true);
  await hide(page, false);
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.line).toHaveText('');
  await expect(next.text).toHaveValue('');
  await expect(form.text).toHaveValue('still being written');
});

test('the draft of a closed tab outlives the reload of another one', async ({ page, context, form }) => {
  const other = new FormPage(await context.newPage(), true);
  await form.open();
  await other.open();
  await form.text.fill('in the closed tab');
  await other.text.fill('in the tab that stays');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => context.pages().length).toBe(1);
  await other.reload();
  await expect(other.text).toHaveValue('in the tab that stays');
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.text).toHaveValue('in the closed tab');
});
