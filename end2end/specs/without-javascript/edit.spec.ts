import { saved } from '../../support/attempts.ts';
import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('a used key with another text gives the form back, and Save again saves it', async ({
  page,
  form,
  result,
  stored,
  pastes,
}) => {
  await form.open();
  await page.route(
    '/',
    saved((route) => route.abort('aborted')),
    { times: 1 },
  );
  await form.title.fill('Kept');
  await form.submit('saved, but nobody was told');
  await expect.poll(pastes).toBe(1);
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await form.submit('edited meanwhile');
  expect((await answer).status()).toBe(409);
  await expect(page.getByRole('alert')).toContainText('Press Save again to make it a paste of its own.');
  await expect(form.text).toHaveValue('edited meanwhile');
  await expect(form.title).toHaveValue('Kept');
  await expectAccessible(page, 'key-reused');
  await form.save.click();
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.innerText())).toBe('edited meanwhile');
  expect(await pastes()).toBe(2);
});

test('Back, edit and save makes a paste of its own', async ({ page, form, result, stored, pastes }) => {
  await form.open();
  await form.submit('first version');
  await expect(result.token).toBeVisible();
  await page.goBack();
  await expect(form.text).toHaveValue('first version');
  await form.submit('second version');
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.innerText())).toBe('second version');
  expect(await pastes()).toBe(2);
});
