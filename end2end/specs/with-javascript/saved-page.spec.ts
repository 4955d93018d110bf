import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('a reload of the page of results shows the same link and token', async ({
  page,
  form,
  result,
  pastes,
}) => {
  await form.open();
  await form.submit('shown again');
  await expect(page).toHaveURL(/\/saved$/);
  const [link, token] = [await result.link.innerText(), await result.token.innerText()];
  await page.reload();
  await expect(result.token).toHaveText(token);
  await expect(result.link).toHaveText(link);
  expect(await pastes()).toBe(1);
});

test('leaving does not lose the token', async ({ page, form, result, expectOnePaste }) => {
  await form.open();
  await form.submit('gone and back');
  const token = await result.token.innerText();
  await page.getByRole('link', { name: 'New paste' }).click();
  await form.ready();
  await expect(form.text).toHaveValue('');
  await page.goto('/saved');
  await expect(result.token).toHaveText(token);
  await expectOnePaste('gone and back');
});

test('what is acknowledged leaves this browser', async ({ page, form, result, stored }) => {
  await form.open();
  await form.submit('a secret text');
  await result.acknowledge.click();
  await expect(page.getByText('Text and token have left this browser.')).toBeVisible();
  await expect(result.token).toBeHidden();
  await expect(page.getByText('a secret text')).toHaveCount(0);
  await expectAccessible(page, 'acknowledged');
  expect(await stored(await result.link.innerText())).toBe('a secret text');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toMatch(/a secret text|once_|oncebin\.(save|key)/);
  await page.reload();
  await expect(page.getByText('Nothing from this browser waits to be shown.')).toBeVisible();
  await expectAccessible(page, 'saved-nothing');
});

test('the saves of this browser are listed, the one of this tab first', async ({
  page,
  context,
  form,
  result,
  pastes,
}) => {
  await form.open();
  await form.submit('from this tab');
  const token = await result.token.innerText();
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('textbox', { name: 'Text' }).fill('from another tab');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other).toHaveURL(/\/saved$/);
  await page.reload();
  await expect(result.link).toHaveCount(2);
  await expect(result.token).toHaveText(token);
  // Which is which.
  await expect(page.getByRole('main').getByText(/^from /)).toHaveText(['from this tab', 'from another tab']);
  await expectAccessible(page, 'saved-two');
  await page.getByRole('button', { name: 'Show the delete token' }).click();
  await expect(result.token).toHaveCount(2);
  expect(await pastes()).toBe(2);
});

test('the token is in no address, no title and no page of the server', async ({
  page,
  form,
  result,
  request,
}) => {
  await form.open();
  await form.submit('where is it');
  const token = await result.token.innerText();
  expect(page.url() + (await page.title())).not.toContain('once_');
  expect(await (await request.get('/saved')).text()).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }]))).not.toContain(
    token,
  );
});
