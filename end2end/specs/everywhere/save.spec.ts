import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('a text is saved and its link and delete token are shown', async ({
  page,
  form,
  result,
  expectOnePaste,
}) => {
  await form.open();
  await form.submit('\n  one <b>line</b>\n\ttwo \n\n');
  await expectOnePaste('\n  one <b>line</b>\n\ttwo \n\n');
  await expect(result.heading).toBeVisible();
  await expectAccessible(page, 'result');
});

test('the link leads to the text', async ({ page, form, result }) => {
  await form.open();
  await form.title.fill('Greetings & <others>');
  await form.submit('hello\n</textarea><script>alert(1)</script>');
  await result.link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Greetings & <others>');
  await expect(page.getByText('</textarea><script>alert(1)</script>')).toBeVisible();
  await expectAccessible(page, 'paste-short');
});

test('title, syntax and expiry are saved with the text', async ({ form, result, request }) => {
  await form.open();
  await form.title.fill('Greeting');
  await form.syntax.fill('rust');
  await form.expiry.selectOption('1 hour');
  await form.submit('fn main() {}');
  const id = new URL(await result.link.innerText()).pathname;
  const paste = await (await request.get(`/api/pastes${id}`)).json();
  expect(paste).toMatchObject({ title: 'Greeting', syntax: 'rust' });
  expect(Date.parse(paste.expires_at) - Date.parse(paste.created_at)).toBe(3_600_000);
});
