import { expectAccessible } from '../../support/accessible.ts';
import { Oncebin } from '../../support/oncebin.ts';
import { expect, servedBy, test } from '../../support/test.ts';

const small = test.extend<object, { oncebin: Oncebin }>({ oncebin: servedBy('small', ['--max-paste-bytes', '1KiB']) });

small('a text over the limit comes back, or waits behind Back', async ({ page, form, pastes }) => {
  await form.open();
  await form.submit('x'.repeat(1025));
  await expect(page.getByText('The paste is too large')).toBeVisible();
  await expectAccessible(page, 'too-large-no-js');
  // So much more that its fields were not read.
  await page.goto('/');
  await form.submit('x'.repeat(1 << 20));
  await expect(page.getByText('Your text is not lost: go back to find it in the form.')).toBeVisible();
  await expectAccessible(page, 'far-too-large-no-js');
  await page.goBack();
  await expect(form.text).toHaveValue('x'.repeat(1 << 20));
  expect(await pastes()).toBe(0);
});
