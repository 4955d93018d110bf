import { expectAccessible } from '../../support/accessible.ts';
import { answered, expect, test } from '../../support/faults.ts';
import { fillStorage } from '../../support/misfortunes.ts';

/** Six megabytes: less than may be saved, more than any browser keeps for a page. */
const LARGE = `${'0123456789'.repeat(100)}\n`.repeat(6_000);

test('a large text pasted while a save is under way is not lost by its success', async ({
  page,
  form,
  saveHeldBack,
  result,
  stored,
  pastes,
}) => {
  const gate = await saveHeldBack('the small one');
  await form.paste(LARGE);
  gate.open();
  await expect(result.token).toBeVisible();
  await expect(page.getByRole('main').getByText('Saved.', { exact: true }).last()).toBeFocused();
  await expect(page).toHaveURL(/\/$/);
  await expect(form.text).toHaveValue(LARGE);
  await expect(form.line).toContainText('so this page stays: save it, too.');
  expect(await stored(await result.link.innerText())).toBe('the small one');
  expect(await pastes()).toBe(1);
  // A picture of so much text is never done.
  await form.text.evaluate((area: HTMLTextAreaElement) => (area.value = 'another text'));
  await expectAccessible(page, 'saved-page-stays');
});

test('who leaves a text that only the page has is asked', async ({ page, form, pastes }) => {
  await form.open();
  await form.text.click();
  await form.paste(LARGE);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(form.text).toHaveValue(LARGE);
  expect(await pastes()).toBe(0);
});

test('who leaves a text that is kept is not asked', async ({ page, form, pastes }) => {
  await form.open();
  await form.text.click();
  await page.keyboard.type('kept as a draft');
  let asked = false;
  page.on('dialog', async (dialog) => {
    asked = true;
    await dialog.accept();
  });
  const next = await form.openElsewhere();
  expect(asked).toBe(false);
  await expect(next.text).toHaveValue('kept as a draft');
  expect(await pastes()).toBe(0);
});

test('a text that storage has no room for stays a draft', async ({ page, form, attempts, pastes }) => {
  await form.open();
  await form.text.fill('worth keeping');
  const draft = () => page.evaluate(() => sessionStorage.getItem('oncebin.draft'));
  await page.clock.fastForward(400);
  await expect.poll(draft).toContain('worth keeping');
  await fillStorage(page);
  attempts.meet(answered(422));
  await form.save.click();
  await expect(form.line).toHaveRole('alert');
  expect(await draft()).toContain('worth keeping');
  await form.reload();
  await expect(form.text).toHaveValue('worth keeping');
  expect(await pastes()).toBe(0);
});
