import { Gate } from '../../support/attempts.ts';
import { expect, test } from '../../support/test.ts';
import { FormPage } from '../../support/pages.ts';

test('text not yet saved survives a reload and a closed tab', async ({ form }) => {
  await form.open();
  await form.title.fill('Notes');
  await form.syntax.fill('markdown');
  await form.expiry.selectOption('1 hour');
  await form.text.fill('not yet saved');
  await form.reload();
  await expect(form.text).toHaveValue('not yet saved');
  const next = await form.openElsewhere();
  await expect(next.text).toHaveValue('not yet saved');
  await expect(next.title).toHaveValue('Notes');
  await expect(next.syntax).toHaveValue('markdown');
  await expect(next.expiry).toHaveValue('1h');
});

test('a draft is left even when the browser cuts off what leaves it', async ({ page, form, browserName }) => {
  test.skip(browserName === 'firefox', 'Firefox does so itself to one closed tab in twenty, and could to the other try');
  await page.addInitScript(() => {
    const { getItem } = Storage.prototype;
    const cutOff = () => {
      Storage.prototype.getItem = getItem;
      throw new Error('cut off');
    };
    addEventListener('pagehide', () => (Storage.prototype.getItem = cutOff));
  });
  await form.open();
  await form.text.fill('typed last');
  const next = await form.openElsewhere();
  await expect(next.text).toHaveValue('typed last');
});

test('two tabs have a draft each', async ({ page, context, form }) => {
  const other = new FormPage(await context.newPage(), true);
  await form.open();
  await other.open();
  await form.text.fill('in the first tab');
  await other.text.fill('in the second tab');
  await form.reload();
  await other.reload();
  await expect(form.text).toHaveValue('in the first tab');
  await expect(other.text).toHaveValue('in the second tab');
  await page.goto('/mine');
  await page.goto('/');
  await form.ready();
  await expect(form.text).toHaveValue('in the first tab');
});

test('a new tab does not take the draft of one that is open', async ({ page, context, form }) => {
  await form.open();
  await form.text.fill('still being written');
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('oncebin.draft')))
    .toContain('still being written');
  const next = new FormPage(await context.newPage(), true);
  await next.open();
  await expect(next.text).toHaveValue('');
});

test('a saved text is no draft any more', async ({ page, form, result }) => {
  await form.open();
  await form.text.fill('done');
  await form.reload();
  await form.save.click();
  await result.acknowledge.click();
  const left = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(await left()).not.toContain('done');
  expect(await left()).not.toContain('draft');
});

test('a paste used as new goes before an older draft and is the draft from then on', async ({ page, form, request }) => {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const data = { content: 'from a paste', title: 'Its title', syntax: 'rust' };
  const { id } = await (await request.post('/api/pastes', { headers: key, data })).json();
  await form.open();
  await form.text.fill('an older draft');
  await form.reload();
  await page.goto(`/${id}`);
  await page.getByRole('link', { name: 'Use as new' }).click();
  await form.ready();
  await expect(form.text).toHaveValue('from a paste');
  await expect(page).toHaveURL('/');
  await form.text.fill('from a paste, and more');
  await form.reload();
  await expect(form.text).toHaveValue('from a paste, and more');
  await expect(form.title).toHaveValue('Its title');
  await expect(form.syntax).toHaveValue('rust');
});

test('a paste that finds no room as a draft is asked for again by a reload', async ({ page, form, request }) => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const content = 'from a paste, and longer than the draft before it';
  const { id } = await (await request.post('/api/pastes', { headers, data: { content } })).json();
  await form.open();
  await form.text.fill('an older draft');
  await form.reload();
  await page.evaluate(fillTab);
  await page.goto(`/?from=${id}`);
  await form.ready();
  await form.reload();
  await expect(page).toHaveURL(`/?from=${id}`);
  await expect(form.text).toHaveValue(content);
  await page.evaluate(() => sessionStorage.removeItem('full'));
  await form.text.fill('from a paste, with room');
  await expect(page).toHaveURL('/');
  await form.reload();
  await expect(form.text).toHaveValue('from a paste, with room');
});

/** Fills this tab's storage to the last character. */
function fillTab(): void {
  let full = '';
  for (let more = 1 << 24; more >= 1; more /= 2) {
    try {
      sessionStorage.setItem('full', full + 'x'.repeat(more));
      full += 'x'.repeat(more);
    } catch {
      // Less of it, then.
    }
  }
}

test('what was typed before the client was there is a draft, too', async ({ page, form }) => {
  const gate = new Gate();
  await page.route('**/*.wasm', gate.fault);
  await page.goto('/');
  await form.text.fill('typed early');
  gate.open();
  await form.ready();
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('oncebin.draft')))
    .toContain('typed early');
  await form.reload();
  await expect(form.text).toHaveValue('typed early');
});
