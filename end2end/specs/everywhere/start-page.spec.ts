import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('the start page is a form that says what it is for', async ({ page, form }) => {
  await form.open();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New paste');
  await expect(form.text).toBeFocused();
  await expect(form.save).toBeVisible();
  await expectAccessible(page, 'start');
});
