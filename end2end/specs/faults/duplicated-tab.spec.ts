import { type Hands, expect, test } from '../../support/hands.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';

/** The form in a copy of a tab. */
async function duplicate(hands: Hands, { page }: FormPage): Promise<FormPage> {
  const copy = new FormPage(await hands.duplicate(page), true);
  await copy.ready();
  return copy;
}

test('a tab duplicated in mid-save waits for the first one, and both show one paste', async ({
  page,
  form,
  hands,
  attempts,
  saveHeldBack,
  expectOnePaste,
}) => {
  const gate = await saveHeldBack('twice the same');
  const copy = await duplicate(hands, form);
  await expect(copy.text).toHaveValue('twice the same');
  await expect.poll(() => attempts.underWay(page)).toBe(2);
  expect(attempts.keys).toHaveLength(1);
  gate.open();
  await expectOnePaste('twice the same');
  await expect(new ResultPage(copy.page).token).toBeVisible();
  expect(new Set(attempts.keys).size).toBe(1);
});

test('a tab duplicated after a save edits and saves with a key of its own', async ({
  page,
  form,
  result,
  hands,
  attempts,
  stored,
  pastes,
}) => {
  await form.open();
  await form.submit('the original');
  await expect(result.token).toBeVisible();
  await page.goBack();
  const copy = await duplicate(hands, form);
  await copy.submit('the edited copy');
  const edited = new ResultPage(copy.page);
  await expect(edited.token).toBeVisible();
  expect(await stored(await edited.link.first().innerText())).toBe('the edited copy');
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('a tab duplicated while it is written in has the text, and each saves its own', async ({
  page,
  form,
  result,
  hands,
  attempts,
  stored,
  pastes,
}) => {
  await form.open();
  await form.text.fill('the original');
  // What is typed is kept when the typing pauses.
  await page.clock.fastForward(400);
  const copy = await duplicate(hands, form);
  await expect(copy.text).toHaveValue('the original');
  await copy.submit('the edited copy');
  const edited = new ResultPage(copy.page);
  await expect(edited.token).toBeVisible();
  expect(await stored(await edited.link.innerText())).toBe('the edited copy');
  await hands.show(page);
  await form.save.click();
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.first().innerText())).toBe('the original');
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});
