import type { Page } from '@playwright/test';
import { save } from '../../support/save.ts';
import { expect, test } from '../../support/test.ts';

const styles = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { color, backgroundColor, outlineStyle } = getComputedStyle(element);
    return { color, backgroundColor, outlineStyle };
  });

test.skip(({ browserName }) => browserName !== 'chromium', 'Debian’s Firefox does not let a test choose media');

test('print shows all of a text whose lines are not wrapped, dark on light', async ({ page, request }) => {
  const id = await save(request, `${'a long line '.repeat(200)}\nshort`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/${id}`);
  const light = await styles(page, 'body');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Wrap').uncheck();
  const hidden = () => page.locator('pre').evaluate((text) => text.scrollWidth - text.clientWidth);
  expect(await hidden()).toBeGreaterThan(1_000);
  expect(await styles(page, 'body')).not.toEqual(light);
  await page.emulateMedia({ media: 'print' });
  expect(await hidden()).toBe(0);
  expect(await styles(page, 'body')).toEqual(light);
});

test('a selected line and the state of a save are seen in forced colours', async ({ page, request, form }) => {
  const id = await save(request, 'one\ntwo\nthree');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`/${id}#L2`);
  await expect(page.locator('#L2')).toHaveAttribute('data-marked');
  expect((await styles(page, '#L2')).outlineStyle).toBe('solid');
  expect((await styles(page, '#L1')).outlineStyle).toBe('none');
  await form.open();
  await page.route('**/api/pastes', () => {});
  await form.submit('is saved');
  const [dot, around] = await form.line.evaluate((line) =>
    [getComputedStyle(line, '::before'), getComputedStyle(document.body)].map((style) => style.backgroundColor),
  );
  expect(dot).not.toBe(around);
});
