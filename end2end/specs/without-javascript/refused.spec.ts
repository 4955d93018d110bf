import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('a refused form comes back with everything in it', async ({ page, form, pastes, expectOnePaste }) => {
  await form.open();
  await form.title.fill('A title');
  await form.syntax.fill('klingon');
  await form.expiry.selectOption('1 hour');
  await form.submit('\nqapla');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(form.title).toHaveValue('A title');
  await expect(form.text).toHaveValue('\nqapla');
  await expect(form.syntax).toHaveValue('klingon');
  await expect(form.expiry).toHaveValue('1h');
  await expectAccessible(page, 'refused-no-js');
  expect(await pastes()).toBe(0);
  await form.syntax.fill('');
  await form.save.click();
  await expectOnePaste('\nqapla');
});
