import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/hands.ts';
import { crash } from '../../support/misfortunes.ts';
import { FormPage } from '../../support/pages.ts';

test('the draft of a page that was ended while hidden is offered', async ({
  page,
  context,
  baseURL,
  form,
  hands,
  pastes,
}) => {
  await form.open();
  await form.text.fill('written on a phone');
  await hands.hide(page);
  await crash(page);
  await page.close();
  const next = new FormPage(await context.newPage(), true, baseURL);
  await next.open();
  await expect(next.text).toHaveValue('');
  await expect(next.line).toHaveText('A text that you were writing in another tab is kept. Bring it here');
  await expectAccessible(next.page, 'hidden-draft');
  await next.page.getByRole('button', { name: 'Bring it here' }).click();
  await expect(next.text).toHaveValue('written on a phone');
  await expect(next.line).toHaveText('');
  await next.reload();
  await expect(next.text).toHaveValue('written on a phone');
  expect(await pastes()).toBe(0);
});

test('a page that is shown again has its draft for itself', async ({
  page,
  baseURL,
  form,
  hands,
  pastes,
}) => {
  await form.open();
  await form.text.fill('still being written');
  await hands.hide(page);
  await hands.show(page);
  // Beside it, not before it.
  const next = new FormPage(await hands.newWindow(), true, baseURL);
  await next.open();
  await expect(next.line).toHaveText('');
  await expect(next.text).toHaveValue('');
  await expect(form.text).toHaveValue('still being written');
  expect(await pastes()).toBe(0);
});

test('the draft of a closed tab outlives the reload of another one', async ({
  page,
  context,
  baseURL,
  form,
  hands,
  pastes,
}) => {
  const other = new FormPage(await context.newPage(), true, baseURL);
  await form.open();
  await other.open();
  await form.text.fill('in the closed tab');
  await other.text.fill('in the tab that stays');
  await hands.close(page);
  await other.reload();
  await expect(other.text).toHaveValue('in the tab that stays');
  const next = new FormPage(await context.newPage(), true, baseURL);
  await next.open();
  await expect(next.text).toHaveValue('in the closed tab');
  expect(await pastes()).toBe(0);
});
