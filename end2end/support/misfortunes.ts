import type { Page } from '@playwright/test';

/** What the line says of a save that found no room, and no server. */
export const ONLY_HERE =
  /^The server cannot be reached\. .+ a reload before it is saved would lose the save\.$/;

/** Ends a page without a word to it, as a crash does, or a phone that needs its memory. */
export async function crash(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  devtools.send('Page.crash').catch(() => {});
  await crashed;
}

/** Fills the storage of this browser to the last character. */
export async function fillStorage(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (let length = 1 << 20; length >= 1; length >>= 1) {
      try {
        for (let i = 0; ; i++) localStorage.setItem(`other.${length}.${i}`, 'x'.repeat(length));
      } catch {
        // Full for this length; a shorter one may still fit.
      }
    }
  });
}
