import { expectAccessible } from '../../support/accessible.ts';
import { test as timeless } from '../../support/faults.ts';
import { expect, test } from '../../support/test.ts';

test('the page of results deletes what was just saved, and the text leaves this browser', async ({
  page,
  form,
  result,
  request,
}) => {
  await form.open();
  await form.submit('a mistake');
  const link = await result.link.innerText();
  await expect(page.getByText('9 bytes')).toBeVisible();
  await page.getByText('Delete this paste').click();
  await expectAccessible(page, 'saved-delete-open');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Deleted. The link leads nowhere from now on.')).toBeVisible();
  await expect(result.token).toBeHidden();
  await expect(result.link).toBeHidden();
  await expectAccessible(page, 'saved-deleted');
  expect((await request.get(link)).status()).toBe(404);
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(kept).toEqual(['oncebin.used']);
});

// Time stands still: no look at the page takes too long for the request.
timeless('a delete that takes long says so, and a second press sends nothing', async ({ page, form, result }) => {
  await form.open();
  await form.submit('slowly deleted');
  await expect(result.token).toBeVisible();
  let deletes = 0;
  let answer = () => {};
  const open = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/pastes/*', async (route) => {
    deletes++;
    await open;
    await route.continue();
  });
  await page.getByText('Delete this paste').click();
  const button = page.getByRole('button', { name: 'Delete', exact: true });
  await button.dblclick();
  await expect(page.getByText('Deleting…')).toBeVisible();
  await expectAccessible(page, 'saved-deleting');
  answer();
  await expect(page.getByText('Deleted. The link leads nowhere from now on.')).toBeVisible();
  expect(deletes).toBe(1);
});

test('a delete that fails keeps link and token', async ({ page, form, result, stored }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  await form.open();
  await form.submit('stays');
  const token = await result.token.innerText();
  await page.route('**/api/pastes/*', (route) => route.abort());
  await page.getByText('Delete this paste').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('It may be deleted, but no answer says so. Try again in a moment.')).toBeInViewport();
  await expect(result.token).toHaveText(token);
  await expectAccessible(page, 'saved-delete-failed');
  expect(await stored(await result.link.innerText())).toBe('stays');
});
