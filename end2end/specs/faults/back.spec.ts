import { answered, expect, saved, silent, test } from '../../support/faults.ts';

// Chromium keeps no page that is `no-store`, so Back loads the form anew: a restored page, not a living one.

test('Back after a save: the text is there, and an edit is a paste of its own', async ({
  page,
  form,
  attempts,
  result,
  stored,
  pastes,
}) => {
  await form.open();
  await form.title.fill('Draft');
  await form.submit('first version');
  await expect(result.token).toBeVisible();
  await page.goBack();
  await form.ready();
  await expect(form.text).toHaveValue('first version');
  await expect(form.title).toHaveValue('Draft');
  await form.submit('second version');
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.first().innerText())).toBe('second version');
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('away in mid-save and Back: the save goes on with its own key', async ({
  page,
  form,
  attempts,
  pastes,
  expectOnePaste,
}) => {
  await form.open();
  attempts.meet(saved(silent), answered(503, { 'retry-after': '5' }));
  await form.submit('back again');
  await expect.poll(pastes).toBe(1);
  await page.goto('about:blank');
  await page.goBack();
  await form.ready();
  await expect(form.text).toHaveValue('back again');
  await expect(form.line).toContainText('Trying again in 5 seconds');
  await page.clock.fastForward(5_000);
  await expectOnePaste('back again');
});
