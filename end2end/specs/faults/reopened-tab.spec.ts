import { Gate, expect, saved, silent, test } from '../../support/hands.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';

test('a tab closed in mid-save and reopened finishes the save with its own key', async ({
  page,
  form,
  hands,
  attempts,
  stored,
  pastes,
}) => {
  const gate = new Gate();
  await form.open();
  attempts.meet(saved(silent), gate.fault);
  await form.title.fill('Reopened');
  await form.submit('closed too early');
  await expect.poll(pastes).toBe(1);
  await hands.close(page);
  const reopened = new FormPage(await hands.reopen(), true);
  await reopened.ready();
  await expect(reopened.text).toHaveValue('closed too early');
  await expect(reopened.title).toHaveValue('Reopened');
  // It is this tab's own save, and no text from earlier.
  await expect(reopened.line).toHaveText('Saving…');
  gate.open();
  const result = new ResultPage(reopened.page);
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.innerText())).toBe('closed too early');
  expect(await pastes()).toBe(1);
  expect(new Set(attempts.keys).size).toBe(1);
});

test('a tab closed after its save and reopened shows the same token', async ({ page, form, result, hands, pastes }) => {
  await form.open();
  await form.submit('shown again');
  const token = await result.token.innerText();
  await hands.close(page);
  await expect(new ResultPage(await hands.reopen()).token).toHaveText(token);
  expect(await pastes()).toBe(1);
});

test('a tab closed while it is written in and reopened has its draft', async ({ page, form, hands, attempts, pastes }) => {
  await form.open();
  await form.text.fill('not yet saved');
  await hands.close(page);
  const reopened = new FormPage(await hands.reopen(), true);
  await reopened.ready();
  await expect(reopened.text).toHaveValue('not yet saved');
  await expect(reopened.line).toHaveText('');
  await attempts.settle(reopened.page, 0);
  expect(await pastes()).toBe(0);
});
