import type { Page } from '@playwright/test';
// Time stands still: what the button says for two seconds stays until the busiest machine has looked.
import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/faults.ts';
import { save } from '../../support/save.ts';

/** What the clipboard holds, as another page gets it. */
async function pasted(page: Page): Promise<string> {
  const other = await page.context().newPage();
  await other.setContent('<textarea autofocus></textarea>');
  await other.getByRole('textbox').press('ControlOrMeta+V');
  return other.getByRole('textbox').inputValue();
}

async function copy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Copied');
}

test('the exact text of a paste is copied', async ({ page, request }) => {
  const text = '\n  spaces around\u00A0\u202E \n\n';
  await page.goto(`/${await save(request, text)}`);
  await copy(page);
  await expectAccessible(page, 'copied');
  expect(await pasted(page)).toBe(text);
  await page.clock.fastForward(2_000);
  await expect(page.getByRole('button', { name: 'Copy' })).toBeVisible();
});

test('all of a text is copied, even where the page shows its start', async ({ page, request }) => {
  const text = 'x\n'.repeat(25_000) + 'the end';
  await page.goto(`/${await save(request, text)}`);
  await expect(page.getByText('There is more of this text')).toBeVisible();
  await copy(page);
  expect(await pasted(page)).toBe(text);
});

test('a copy that cannot be fetched can be tried again', async ({ page, request }) => {
  await page.goto(`/${await save(request, 'text')}`);
  await page.route('**/raw', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Press again to copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await pasted(page)).toBe('text');
});

test.describe('on plain http', () => {
  test.use({
    baseURL: async ({ oncebin }, use) => use(oncebin.url.replace('127.0.0.1', 'plain.test')),
  });

  test('copying works all the same', async ({ page, request, browserName, oncebin }) => {
    test.skip(browserName !== 'chromium', 'the address is mapped by a flag of Chromium');
    const id = await (await request.post(`${oncebin.url}/api/pastes`, {
      headers: { 'idempotency-key': crypto.randomUUID() },
      data: { content: '  as it is \n' },
    })).json().then(({ id }) => id);
    await page.goto(`/${id}`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await copy(page);
    expect(await pasted(page)).toBe('  as it is \n');
  });
});
