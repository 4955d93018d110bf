import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, type Page, expect, test } from '@playwright/test';

/** Where pictures of every state go, for people to look at: nowhere unless `ONCEBIN_PICTURES` names a folder. */
const PICTURES = process.env.ONCEBIN_PICTURES;

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

/** What people look at a page with. Colours do not depend on the width: each scheme on one screen is enough for axe. */
const SCREENS = [
  { viewport: NARROW, colorScheme: 'light' },
  { viewport: WIDE, colorScheme: 'dark' },
] as const;

/**
 * Expects that axe finds nothing on the page as it stands, narrow and light and wide and dark, and that nothing has to
 * be scrolled sideways.
 *
 * `state` names the pictures. axe needs timers, which stand still without JavaScript and while a spec holds the clock,
 * so it looks at a copy of the page; in one browser, since it would find the same in any.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  const browser = page.context().browser()!;
  if (browser.browserType().name() !== 'chromium') return;
  const picture = `${test.info().project.name}-${state}`;
  if (PICTURES !== undefined) await takePictures(page, path.join(PICTURES, picture));
  // A colour on its way from one scheme to the other is none that anybody reads by.
  const context = await browser.newContext({ javaScriptEnabled: true, reducedMotion: 'reduce' });
  const copy = await copyOf(page, context);
  for (const { viewport, colorScheme } of SCREENS) {
    const screen = `${state}, ${viewport.width} px, ${colorScheme}`;
    await copy.setViewportSize(viewport);
    await copy.emulateMedia({ colorScheme });
    expect(await violations(copy), screen).toEqual([]);
    const width = await copy.evaluate(() => document.documentElement.scrollWidth);
    expect(width, `${screen}, scrolls sideways`).toBeLessThanOrEqual(viewport.width);
  }
  await context.close();
}

async function violations(page: Page): Promise<unknown[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  return (await axe.analyze()).violations;
}

/** The page's HTML as it is now, at the same address, without the client. */
async function copyOf(page: Page, context: BrowserContext): Promise<Page> {
  const body = await page.content();
  await context.route(page.url(), (route) => route.fulfill({ body, contentType: 'text/html' }));
  await context.route('**/*.{js,wasm}', (route) => route.abort());
  const copy = await context.newPage();
  await copy.goto(page.url());
  return copy;
}

async function takePictures(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? WIDE;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [size, viewport] of Object.entries({ narrow: NARROW, wide: WIDE })) {
      await page.setViewportSize(viewport);
      await page.screenshot({ path: `${name}-${size}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(before);
}
