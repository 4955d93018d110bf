import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, type Page, type Worker, chromium as driver } from '@playwright/test';
import { chromium } from './browsers.ts';
import { expect, test as base } from './faults.ts';
import { FormPage } from './pages.ts';

export * from './faults.ts';

const EXTENSION = fileURLToPath(new URL('hands', import.meta.url));

/** What a person does to tabs, done by the browser itself: an extension of ours asks for it. */
export class Hands {
  constructor(
    private readonly context: BrowserContext,
    private readonly worker: Worker,
  ) {}

  /**
   * Duplicates a tab: a new one with its history and its sessionStorage. Chromium puts nothing back into the fields of a
   * duplicated or reopened tab where a page sends `Cross-Origin-Opener-Policy`, as ours do; the client does.
   */
  async duplicate(page: Page): Promise<Page> {
    const target = await targetOf(page);
    return this.opened(() => this.ask('duplicate', target));
  }

  /** Closes a tab, as its cross does. */
  async close(page: Page): Promise<void> {
    const closed = page.waitForEvent('close');
    await this.ask('close', await targetOf(page));
    await closed;
  }

  /** Brings the tab back that was closed last, as Ctrl+Shift+T does. */
  async reopen(): Promise<Page> {
    return this.opened(() => this.ask('reopen'));
  }

  /** Opens another tab before this one, which is hidden then. */
  async hide(page: Page): Promise<void> {
    await this.ask('cover', await targetOf(page));
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
  }

  /** Goes back to a tab. */
  async show(page: Page): Promise<void> {
    await this.ask('show', await targetOf(page));
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('visible');
  }

  /** Opens a window, which hides no other. */
  async newWindow(): Promise<Page> {
    return this.opened(() => this.ask('newWindow'));
  }

  /** Forbids a site to store anything, from its next page on. */
  async blockStorage(site: string): Promise<void> {
    await this.ask('blockStorage', site);
  }

  private async ask(what: string, of?: string): Promise<void> {
    // @ts-expect-error: its own global.
    await this.worker.evaluate(async ([what, of]) => void (await self.hands[what](of)), [what, of] as const);
  }

  private async opened(open: () => Promise<void>): Promise<Page> {
    const [page] = await Promise.all([this.context.waitForEvent('page'), open()]);
    await page.waitForLoadState();
    return page;
  }
}

/** The name of a tab that the extension knows, too. */
async function targetOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  return targetInfo.targetId;
}

/** Starts a browser of its own and tells where it is driven. `end` ends it. */
async function start(): Promise<{ address: string; end: () => Promise<void> }> {
  const profile = await mkdtemp(path.join(tmpdir(), 'oncebin-browser-'));
  const { executablePath, args } = chromium.launchOptions;
  const flags = [...args, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  flags.push(`--load-extension=${EXTENSION}`, '--disable-features=DisableLoadExtensionCommandLineSwitch');
  const process = spawn(executablePath, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(process, 'exit');
  const end = async () => {
    process.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 20 });
  };
  for await (const line of createInterface(process.stderr)) {
    const address = /^DevTools listening on (\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    process.stderr.resume();
    return { address, end };
  }
  await end();
  throw new Error('the browser ended before it could be driven');
}

/**
 * The `test` of specs about tabs: their browser is no private window of Playwright's, which has no closed tabs, and a tab
 * behind another one is hidden in it, since nothing emulates the focus.
 */
export const test = base.extend<{ hands: Hands }>({
  // A trace with pictures would keep every tab visible.
  trace: [{ mode: 'retain-on-failure', screenshots: false }, { scope: 'worker', option: true }],
  context: async ({}, use) => {
    const { address, end } = await start();
    try {
      const browser = await driver.connectOverCDP(address, { noDefaults: true });
      await use(browser.contexts()[0]);
      await browser.close();
    } finally {
      await end();
    }
  },
  hands: async ({ context }, use) => {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    await use(new Hands(context, worker));
  },
  form: async ({ page, baseURL }, use) => use(new FormPage(page, true, baseURL)),
});
