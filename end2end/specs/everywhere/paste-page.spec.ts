import { expectAccessible } from '../../support/accessible.ts';
import { save } from '../../support/save.ts';
import { expect, test } from '../../support/test.ts';

const CODE = Array.from({ length: 120 }, (_, line) => `let line_${line + 1} = ${'x'.repeat(line)};`).join('\n');

test('the paste is the page', async ({ page, request }) => {
  const id = await save(request, CODE, { title: 'A title that is long enough to need a second row on a phone', syntax: 'rust' });
  await page.goto(`/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^A title that is long/);
  await expect(page.getByText('120 lines')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Raw' })).toHaveAttribute('href', `/${id}/raw`);
  await expect(page.locator('time')).toHaveCount(2);
  await expectAccessible(page, 'paste');
});

test('a link to a line shows that line', async ({ page, request }) => {
  const id = await save(request, CODE);
  await page.goto(`/${id}#L90`);
  await expect(page.locator('#L90')).toBeInViewport();
  await expect(page.locator('#L90')).not.toHaveCSS('box-shadow', 'none');
  await expect(page.locator('#L89')).toHaveCSS('box-shadow', 'none');
});

test('a press on a number links to its line', async ({ page, request }) => {
  const id = await save(request, CODE);
  await page.goto(`/${id}`);
  await page.getByRole('link', { name: '3', exact: true }).click();
  await expect(page).toHaveURL(`/${id}#L3`);
  await expect(page.locator('#L3')).not.toHaveCSS('box-shadow', 'none');
});

test('long lines break, or scroll when the switch is off', async ({ page, request }) => {
  const id = await save(request, 'word '.repeat(400));
  await page.goto(`/${id}`);
  const scrolls = () => page.locator('pre').evaluate((text) => text.scrollWidth > text.clientWidth);
  expect(await scrolls()).toBe(false);
  await page.getByRole('checkbox', { name: 'Wrap' }).uncheck();
  expect(await scrolls()).toBe(true);
});

test('a text that a page shows in part leads to the whole', async ({ page, request }) => {
  const text = 'x'.repeat(64 * 1024 + 1);
  await page.goto(`/${await save(request, text)}`);
  await expect(page.getByText('There is more of this text')).toBeVisible();
  await expectAccessible(page, 'cut');
  await page.getByRole('link', { name: 'The raw text is complete' }).click();
  await expect(page.locator('body')).toHaveText(text);
});

test('the text of a paste starts a new one', async ({ page, request, form, result, stored }) => {
  const text = '\n  a <b>bold</b> "text"\n\n';
  const id = await save(request, text, { title: 'T & T', syntax: 'html' });
  await page.goto(`/${id}`);
  await page.getByRole('link', { name: 'Use as new' }).click();
  await form.ready();
  await expect(form.text).toHaveValue(text);
  await expect(form.title).toHaveValue('T & T');
  await expect(form.syntax).toHaveValue('html');
  await form.save.click();
  await expect(result.token).toBeVisible();
  const link = await result.link.innerText();
  expect(link).not.toContain(id);
  expect(await stored(link)).toBe(text);
});

test('the QR code is shown when it is asked for', async ({ page, request, javaScriptEnabled }) => {
  const id = await save(request, 'text');
  const pictures: string[] = [];
  page.on('request', (asked) => {
    if (asked.url().endsWith('.svg')) pictures.push(asked.url());
  });
  await page.goto(`/${id}`);
  const code = page.getByRole('img', { name: 'QR code' });
  await expect(code).toBeHidden();
  // Without JavaScript browsers load even lazy pictures at once, so that nobody can be followed by his scrolling.
  if (javaScriptEnabled !== false) expect(pictures).toEqual([]);
  await page.getByRole('button', { name: 'QR code' }).click();
  await expect(code).toBeVisible();
  await expect.poll(() => code.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expectAccessible(page, 'qr');
  await page.keyboard.press('Escape');
  await expect(code).toBeHidden();
});

test('Markdown has a tab of its own', async ({ page, request }) => {
  const text = '# Notes\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\n> quoted\n\n- [x] done\n\n[end](#the-end)\n\n```\ncode\n```\n\n## The end\n';
  const id = await save(request, text, { title: 'notes.md' });
  await page.goto(`/${id}`);
  await expect(page.getByRole('link', { name: 'Text', exact: true })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'Markdown' }).click();
  await expect(page).toHaveURL(`/${id}/markdown`);
  await expect(page.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: '2' })).toHaveCSS('text-align', 'right');
  await expectAccessible(page, 'markdown');
  await page.getByRole('link', { name: 'end', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'The end' })).toBeInViewport();
  await page.getByRole('link', { name: 'Text', exact: true }).click();
  await expect(page.locator('pre')).toContainText('| 1 | 2 |');
});

test('no script runs on the Markdown tab, even one the sanitiser would let through', async ({ page, request }) => {
  const id = await save(request, 'text');
  await page.route(`**/${id}/markdown`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('<article', '<script>document.title="run"</script><img src=x onerror="document.title=1"><article');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`/${id}/markdown`);
  await expect(page.getByText('text', { exact: true })).toBeVisible();
  await expect(page).not.toHaveTitle(/^(run|1)$/);
});

test('characters that change the reading direction are pointed out', async ({ page, request }) => {
  const id = await save(request, 'one\nif (user != "x\u202E \u2066// admin\u2069") {\nשלום\n');
  await page.goto(`/${id}`);
  const note = page.getByRole('note');
  await expect(note).toContainText('RLO, right-to-left override, once: line 2');
  await note.getByRole('link', { name: 'line 2' }).first().click();
  await expect(page.locator('#L2')).toBeInViewport();
  await expect(page.locator('#L2')).not.toHaveCSS('box-shadow', 'none');
  await expectAccessible(page, 'reordered');
});

test('the keyboard reaches everything', async ({ page, request }) => {
  const id = await save(request, CODE);
  await page.goto(`/${id}`);
  const names = async (count: number) => {
    const seen: string[] = [];
    for (let press = 0; press < count; press += 1) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(() => document.activeElement!.textContent!.trim()));
    }
    return seen;
  };
  expect(await names(3)).toEqual(['oncebin', 'New paste', 'Skip the text']);
  await expect(page.getByRole('link', { name: 'Skip the text' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Delete this paste')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Delete token')).toBeVisible();
  await expectAccessible(page, 'paste-delete-open');
});

test('at twice the size nothing is lost to the side', async ({ page, request }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  const id = await save(request, CODE, { syntax: 'rust' });
  await page.goto(`/${id}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
  for (const name of ['Raw', 'Download', 'Use as new']) {
    await expect(page.getByRole('link', { name })).toBeInViewport();
  }
});
