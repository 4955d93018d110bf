import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { answered, expect, test } from '../../support/faults.ts';
import { FormPage } from '../../support/pages.ts';

const kept = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

/** A text that the server refused, on the page of results. */
async function refuse(page: Page, form: FormPage): Promise<void> {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await page.goto('/saved');
  await expect(page.getByText('Open it in the form to change it.')).toBeVisible();
}

test('a refused text is forgotten when the person says so', async ({ page, form, pastes }) => {
  await refuse(page, form);
  await expectAccessible(page, 'saved-refused');
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect(page.getByText('Forgotten. Its text has left this browser.')).toBeFocused();
  await expect(page.getByText('qapla')).toBeHidden();
  await expectAccessible(page, 'saved-forgotten');
  expect(await kept(page)).not.toMatch(/qapla|oncebin\.(save|key)/);
  await page.reload();
  await expect(page.getByText('Nothing from this browser waits to be shown.')).toBeVisible();
  expect(await pastes()).toBe(0);
});

test('a refused text is opened in the form, changed and saved', async ({ page, form, expectOnePaste }) => {
  await refuse(page, form);
  await page.getByRole('button', { name: 'Open in the form' }).click();
  await form.ready();
  await expect(form.text).toHaveValue('qapla');
  await expect(form.line).toHaveRole('alert');
  await form.syntax.fill('');
  await form.save.click();
  await expectOnePaste('qapla');
});

test('a text that is being written gives way to one that is opened, and comes back', async ({
  page,
  context,
  form,
  result,
  pastes,
}) => {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await page.close();
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await next.text.fill('being written');
  await next.page.getByRole('link', { name: 'Show it' }).click();
  await next.page.getByRole('button', { name: 'Open in the form' }).click();
  await next.ready();
  await expect(next.text).toHaveValue('qapla');
  await expect(next.line).toContainText(
    'Another text that you were writing is kept and comes back in the next empty form.',
  );
    await expectAccessible(next.page, 'refused-parked');
  await next.text.fill('qapla, in plain text');
  await next.syntax.fill('');
  await next.save.click();
  await expect(next.page).toHaveURL(/\/saved$/);
  await next.page.getByRole('link', { name: 'New paste' }).click();
  await next.ready();
  await expect(next.text).toHaveValue('being written');
  expect(await pastes()).toBe(1);
});

test('a refused text that was changed is there changed after a reload', async ({ page, form, expectOnePaste }) => {
  await form.open();
  await form.syntax.fill('klingon');
  await form.submit('qapla');
  await expect(form.line).toHaveRole('alert');
  await form.text.fill('qapla, corrected');
  await form.reload();
  await expect(form.text).toHaveValue('qapla, corrected');
  await expect(form.line).toHaveRole('alert');
  await form.syntax.fill('');
  await form.save.click();
  await expectOnePaste('qapla, corrected');
  expect(await kept(page)).not.toContain('klingon');
});

test('a text that was changed while it was being saved is there changed after a reload', async ({
  form,
  attempts,
  pastes,
}) => {
  await form.open();
  attempts.allMeet(answered(503, { 'retry-after': '60' }));
  await form.submit('as it was sent');
  await expect(form.line).toContainText('60 seconds');
  await form.text.fill('as it is now');
  await form.reload();
  await expect(form.text).toHaveValue('as it is now');
  await expect(form.line).toHaveText('A text from earlier is still being saved. Show it');
  await attempts.settle(form.page, 2);
  attempts.pass();
  await form.page.clock.fastForward(60_000);
  await expect(form.line).toHaveText('A text from earlier is saved now, too. Show it');
  await expect(form.text).toHaveValue('as it is now');
  expect(await pastes()).toBe(1);
});

test('two saves in line and a reload are two pastes', async ({ page, form, attempts, result, stored, pastes }) => {
  await form.open();
  attempts.meet(answered(503, { 'retry-after': '60' }));
  await form.submit('the first');
  await expect(form.line).toContainText('60 seconds');
  await form.submit('the second');
  await page.reload();
  await expect(page).toHaveURL(/\/saved$/);
  await expect(result.link).toHaveCount(2);
  const texts = await Promise.all((await result.link.allInnerTexts()).map(stored));
  expect(texts.toSorted()).toEqual(['the first', 'the second']);
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('a link that outlived its save is forgotten with a word', async ({ page, form, result, pastes }) => {
  await form.open();
  await form.submit('left alone');
  await expect(result.token).toBeVisible();
  const until = await result.link.locator('xpath=ancestor::section').locator('time').getAttribute('datetime');
  expect(until).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  await page.goto('about:blank');
  await page.clock.fastForward('24:00:01');
  await page.goto('/saved');
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect(page.getByText('Forgotten. The paste is still there')).toBeFocused();
  await expectAccessible(page, 'saved-link-forgotten');
  await expect(result.link).toHaveCount(0);
  expect(await pastes()).toBe(1);
});
