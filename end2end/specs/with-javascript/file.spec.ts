import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { expect, test } from '../../support/test.ts';

interface Given {
  name: string;
  bytes: number[];
}

const bytes = (text: string): number[] => [...Buffer.from(text)];

/** Drags files over the page and lets them go, as far as a page can tell. */
async function drop(page: Page, ...files: Given[]): Promise<void> {
  await page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, bytes } of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    const heading = document.querySelector('.brand')!;
    for (const kind of ['dragover', 'drop']) {
      heading.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    }
  }, files);
}

const choose = (page: Page, name: string, content: Buffer) =>
  page.getByLabel('Open a file').setInputFiles({ name, mimeType: 'text/plain', buffer: content });

for (const [what, text] of [
  ['CRLF', 'one\r\ntwo\r\n'],
  ['CR and LF mixed, NUL and a byte order mark', '\ufeffa\rb\nc\r\n\r\r\n\0'],
] as const) {
  test(`a dropped file with ${what} is saved byte for byte, under its name`, async ({
    page,
    form,
    result,
    request,
  }) => {
    await form.open();
    await drop(page, { name: 'notes.txt', bytes: bytes(text) });
    await expect(form.line).toHaveText('The file is in the form. If you do not edit it, it is saved byte for byte.');
    await expect(form.title).toHaveValue('notes.txt');
    await expectAccessible(page, 'file-taken');
    await form.save.click();
    const link = await result.link.innerText();
    expect(await (await request.get(`${link}/raw`)).body()).toEqual(Buffer.from(text));
  });
}

test('the exact bytes survive a reload before the save', async ({ page, form, result, request }) => {
  await form.open();
  await choose(page, 'dos.bat', Buffer.from('echo 1\r\necho 2\r\n'));
  await expect(form.text).toHaveValue('echo 1\necho 2\n');
  await form.reload();
  await expect(form.text).toHaveValue('echo 1\necho 2\n');
  await form.save.click();
  const link = await result.link.innerText();
  expect(await (await request.get(`${link}/raw`)).body()).toEqual(Buffer.from('echo 1\r\necho 2\r\n'));
});

test('an edited file is a typed text', async ({ page, form, expectOnePaste }) => {
  await form.open();
  await choose(page, 'dos.txt', Buffer.from('a\r\nb\r\n'));
  await expect(form.text).toHaveValue('a\nb\n');
  await form.text.press('ControlOrMeta+End');
  await page.keyboard.type('c');
  await form.save.click();
  await expectOnePaste('a\nb\nc');
});

test('what is not UTF-8 is refused with a clear line', async ({ page, form }) => {
  await form.open();
  await choose(page, 'latin1.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await expect(form.line).toHaveText(
    'This file is not UTF-8 text, and only that is saved here unchanged.',
  );
  await expect(form.line).toHaveRole('alert');
  await expect(form.text).toHaveValue('');
  await expectAccessible(page, 'file-refused');
});

test('a file over the limit is not even read', async ({ page, form }) => {
  await form.open();
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new Error('it was read'));
  });
  await choose(page, 'large.log', Buffer.alloc((10 << 20) + 2048, 'x'));
  await expect(form.line).toHaveText('This file is 2 KiB over the limit of 10 MiB. It was not read.');
});

test('two files at once, an empty file and a file over a text are refused', async ({ page, form }) => {
  await form.open();
  await drop(page, { name: 'a', bytes: bytes('a') }, { name: 'b', bytes: bytes('b') });
  await expect(form.line).toHaveText('One paste is one file: please take one at a time.');
  await drop(page, { name: 'a', bytes: [] });
  await expect(form.line).toHaveText('This file is empty: there is nothing to save.');
  await form.text.fill('typed');
  await drop(page, { name: 'a', bytes: bytes('a') });
  await expect(form.line).toContainText('The form has a text already, which stays.');
  await expect(form.text).toHaveValue('typed');
});

test('the page says that a file may be let go anywhere', async ({ page, form }) => {
  await form.open();
  const over = (kind: string) =>
    page.evaluate((kind) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt'));
      document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    }, kind);
  const writing = page.locator('form[data-api]');
  await over('dragover');
  await expect(writing).toHaveAttribute('data-state', 'dropping');
  await expectAccessible(page, 'dropping');
  await over('dragleave');
  await expect(writing).toHaveAttribute('data-state', 'idle');
});

test('dragged text is left to the browser', async ({ page, form }) => {
  await form.open();
  const isTaken = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', 'some words');
    const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
    return !document.body.dispatchEvent(event);
  });
  expect(isTaken).toBe(false);
});

test('a file is kept as the draft of its tab', async ({ page, form }) => {
  await form.open();
  await choose(page, 'kept.txt', Buffer.from('kept'));
  await expect(form.text).toHaveValue('kept');
  const next = await form.openElsewhere();
  await expect(next.text).toHaveValue('kept');
});
