import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

test('a service that cannot save just now gives the form back, and Save again saves it once', async ({
  page,
  form,
  oncebin,
  expectOnePaste,
}) => {
  await form.open();
  await form.title.fill('Kept');
  await oncebin.runOnShards('create table away as select * from slot; delete from slot;');
  try {
    await form.submit('patient');
    await expect(page.getByRole('alert')).toContainText('Press Save to try again: it stays one paste');
    await expect(form.text).toHaveValue('patient');
    await expect(form.title).toHaveValue('Kept');
    await expectAccessible(page, 'busy-no-js');
  } finally {
    await oncebin.runOnShards('insert into slot select * from away; drop table away;');
  }
  await form.save.click();
  await expectOnePaste('patient');
});

test('the page of results says what it needs', async ({ page }) => {
  await page.goto('/saved');
  await expect(page.getByText('That needs JavaScript.')).toBeVisible();
  await expectAccessible(page, 'saved-no-js');
});
