import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { Oncebin } from '../support/oncebin.ts';
import { FormPage, ResultPage } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));

const TEXT = `use std::collections::HashMap;

/// Counts the words of a text, whatever their case.
fn count_words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts
}

fn main() {
    let counts = count_words("one save is one paste, one key is one save");
    assert_eq!(counts["one"], 4);
    println!("{counts:#?}");
}
`;

/** An oncebin that believes it is served at an address a reader can bear to look at. */
const test = base.extend<object, { oncebin: Oncebin }>({
  oncebin: [
    async ({}, use, worker) => {
      const logFile = path.join(worker.project.outputDir, 'oncebin.log');
      const oncebin = await Oncebin.create(logFile, ['--base-url', 'https://paste.example']);
      await oncebin.start();
      await use(oncebin);
      await oncebin.remove();
    },
    { scope: 'worker' },
  ],
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('form, result and paste', async ({ page }) => {
      const take = (name: string) => picture(page, `${name}-${colorScheme}.png`);
      const form = new FormPage(page, true);
      await form.open();
      await form.title.fill('count_words.rs');
      await form.syntax.fill('rust');
      await form.text.fill(TEXT);
      await take('form');
      await form.save.click();
      const result = new ResultPage(page);
      await expect(result.token).toBeVisible();
      await take('saved');
      await page.goto(new URL(await result.link.innerText()).pathname);
      await expect(page.getByText('count_words(text')).toBeVisible();
      await take('paste');
    });
  });
}

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.screenshot({ path: path.join(FOLDER, name), caret: 'hide', animations: 'disabled' });
}
