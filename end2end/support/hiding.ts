import type { Page } from '@playwright/test';

/**
 * Hides a page from its script, or shows it again.
 *
 * Not for real: Chromium without a window never hides a page, neither behind another tab nor in a minimized window (tried,
 * with and without the emulation of focus), and Playwright drives it without one.
 */
export async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden ? 'hidden' : 'visible');
}
