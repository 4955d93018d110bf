import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('the list of pastes says what it would be', async ({ page, form }) => {
  await form.open();
  await page.getByRole('link', { name: 'My pastes' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My pastes');
  await expect(page.getByText('The list needs JavaScript')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expectAccessible(page, 'mine-no-js');
});

test('the form shows nothing that needs JavaScript', async ({ page, form }) => {
  await form.open();
  for (const words of ['Open a file', 'Tab inserts a tab', 'of 10 MiB']) {
    await expect(page.getByText(words)).toBeHidden();
  }
  await form.text.focus();
  await page.keyboard.press('Tab');
  await expect(form.syntax).toBeFocused();
});
