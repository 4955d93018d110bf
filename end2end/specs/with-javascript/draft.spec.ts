import { expect, test } from '../../support/test.ts';
import { FormPage } from '../../support/pages.ts';

test('text not yet saved survives a reload and a closed tab', async ({ page, context, form }) => {
  await form.open();
  await form.title.fill('Notes');
  await form.text.fill('not yet saved');
  await form.reload();
  await expect(form.text).toHaveValue('not yet saved');
  await page.close({ runBeforeUnload: true });
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.text).toHaveValue('not yet saved');
  await expect(next.title).toHaveValue('Notes');
});

test('a saved text is no draft any more', async ({ page, form, result }) => {
  await form.open();
  await form.text.fill('done');
  await form.reload();
  await form.save.click();
  await result.acknowledge.click();
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});
});
