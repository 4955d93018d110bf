import { save } from '../../support/save.ts';
import { expect, test } from '../../support/test.ts';

test.describe('far from Greenwich', () => {
  test.use({ timezoneId: 'Asia/Kolkata' });

  test('times are in the zone of the reader, which is named', async ({ page, request }) => {
    const id = await save(request, 'text');
    const { expires_at: expiry } = await (await request.get(`/api/pastes/${id}`)).json();
    await page.goto(`/${id}`);
    const time = page.locator('time').last();
    await expect(time).toHaveAttribute('datetime', expiry);
    await expect(time).toHaveAttribute('title', /UTC$/);
    await expect(time).toHaveText(/ (IST|GMT\+5:30)$/);
    const minutes = (text: string) => Number(/(\d+):(\d+)/.exec(text)![1]) * 60 + Number(/:(\d+)/.exec(text)![1]);
    const [utc, local] = [(await time.getAttribute('title'))!, await time.innerText()];
    expect((minutes(local) - minutes(utc) + 1440) % 1440).toBe(330);
  });
});

test('the wrap switch is remembered', async ({ page, request, context }) => {
  const id = await save(request, 'text');
  await page.goto(`/${id}`);
  const wrap = page.getByRole('checkbox', { name: 'Wrap' });
  await expect(wrap).toBeChecked();
  await wrap.uncheck();
  await page.reload();
  await expect(wrap).not.toBeChecked();
  const other = await context.newPage();
  await other.goto(`/${id}`);
  await expect(other.getByRole('checkbox', { name: 'Wrap' })).not.toBeChecked();
  await wrap.check();
  await page.reload();
  await expect(wrap).toBeChecked();
});

// Imitated, since it runs in Firefox, too; faults/blocked-storage.spec.ts has Chromium block it.
test('without storage everything else works', async ({ page, request }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('blocked', 'SecurityError'); } });
  });
  const id = await save(request, 'one\ntwo');
  await page.goto(`/${id}`);
  await expect(page.getByRole('button', { name: 'Copy' })).toBeVisible();
  await page.getByRole('link', { name: '2', exact: true }).click();
  await expect(page).toHaveURL(`/${id}#L2`);
});

test('the page of a paste loads no WASM and nothing from elsewhere', async ({ page, request, baseURL }) => {
  const id = await save(request, 'text');
  const loaded: string[] = [];
  page.on('request', (asked) => loaded.push(asked.url()));
  await page.goto(`/${id}`);
  await expect(page.getByRole('button', { name: 'Copy' })).toBeVisible();
  const paths = loaded.filter((url) => !url.startsWith('data:')).map((url) => url.replace(baseURL!, ''));
  expect(paths.map((path) => path.replace(/-[0-9a-f]{12}\./, '.')).sort()).toEqual([`/${id}`, '/pkg/main.css', '/pkg/view.js'].sort());
});
