import { save } from '../../support/save.ts';
import { expect, test } from '../../support/test.ts';

const TEXT = Array.from({ length: 1_000 }, (_, line) => `line ${line + 1}`).join('\n');

test('with Shift a press selects a range, and its address shows it again', async ({ page, request, context }) => {
  const id = await save(request, TEXT);
  await page.goto(`/${id}`);
  const number = (line: number) => page.getByRole('link', { name: `${line}`, exact: true });
  await number(9).click();
  await number(5).click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(`/${id}#L5-L9`);
  await expect(page.getByRole('status')).toHaveText('Lines 5 to 9 selected');
  await expect(page.locator('[data-marked]')).toHaveCount(5);
  await number(11).click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(`/${id}#L9-L11`);
  expect(await page.evaluate(() => getSelection()!.toString())).toBe('');

  const other = await context.newPage();
  await other.goto(`/${id}#L700-L702`);
  await expect(other.locator('[data-marked]')).toHaveText(['line 700', 'line 701', 'line 702']);
  await expect(other.locator('#L700')).toBeInViewport();
  await other.goto(`/${id}#L3`);
  await expect(other.locator('[data-marked]')).toHaveText(['line 3']);
  await expect(other.locator('#L3')).toBeInViewport();
});

test('a line that is not there selects nothing', async ({ page, request }) => {
  const id = await save(request, TEXT);
  for (const hash of ['#L0', '#L1001', '#L2000-L3000', '#Lx', '#L5-', '#L99999999999999999999', '#end']) {
    await page.goto(`/${id}${hash}`);
    await expect(page.locator('pre')).toHaveAttribute('data-links', 'live');
    await expect(page.locator('[data-marked]')).toHaveCount(0);
  }
  await page.goto(`/${id}#L1003-L999`);
  await expect(page.locator('[data-marked]')).toHaveText(['line 999', 'line 1000']);
});

test('the numbers are one stop of the Tab key, and the arrow keys go on from there', async ({ page, request }) => {
  const id = await save(request, TEXT);
  await page.goto(`/${id}`);
  await page.getByRole('checkbox', { name: 'Wrap' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/${id}#L4`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Enter');
  await expect(page).toHaveURL(`/${id}#L4-L5`);
  await page.keyboard.press('Tab');
  await expect(page.getByText('Delete this paste')).toBeFocused();
});

test('a selection of text has no numbers in it', async ({ page, request }) => {
  const id = await save(request, 'one\n\n  two');
  await page.goto(`/${id}`);
  await page.locator('pre').evaluate((text) => getSelection()!.selectAllChildren(text));
  expect((await page.evaluate(() => getSelection()!.toString())).trimEnd()).toBe('one\n\n  two');
});
