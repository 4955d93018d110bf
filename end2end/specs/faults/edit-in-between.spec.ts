import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/faults.ts';

const KEPT = 'Another text that you were writing is kept and comes back in the next empty form.';

test('a text edited and saved while a save is unresolved is a save of its own, after the first', async ({
  page,
  form,
  attempts,
  saveHeldBack,
  result,
  stored,
  pastes,
}) => {
  const gate = await saveHeldBack('before');
  await form.submit('after');
  expect(await attempts.underWay(page)).toBe(1);
  gate.open();
  await expect(result.link).toHaveCount(2);
  const texts = await Promise.all((await result.link.allInnerTexts()).map(stored));
  expect(texts).toEqual(['after', 'before']);
  expect(await pastes()).toBe(2);
});

test('the line says that a text saved meanwhile is taken and waits its turn', async ({
  page,
  form,
  savePutOff,
  result,
  pastes,
}) => {
  await savePutOff('the first');
  const first = await form.line.innerText();
  await form.submit('the second');
  await expect(form.line).toHaveText(`${first} Texts taken that wait for it: 1.`);
  await expectAccessible(page, 'in-line');
  await form.submit('the third');
  await expect(form.line).toHaveText(`${first} Texts taken that wait for it: 2.`);
  await page.clock.fastForward(600_000);
  await expect(result.link).toHaveCount(3);
  expect(await pastes()).toBe(3);
});

test('a text edited and not saved is a draft when the save before it is done', async ({
  page,
  form,
  saveHeldBack,
  pastes,
  expectOnePaste,
}) => {
  const gate = await saveHeldBack('saved');
  await form.text.fill('not yet saved');
  gate.open();
  await expectOnePaste('saved');
  await expect(page.getByText(KEPT)).toBeVisible();
  await expectAccessible(page, 'saved-and-draft');
  await page.getByRole('link', { name: 'New paste' }).click();
  await form.ready();
  await expect(form.text).toHaveValue('not yet saved');
  await form.text.fill('');
  await page.clock.fastForward(400);
  await page.goto('/saved');
  await expect(page.getByRole('button', { name: 'I have saved it' })).toBeVisible();
  await expect(page.getByText(KEPT)).toBeHidden();
  expect(await pastes()).toBe(1);
});
