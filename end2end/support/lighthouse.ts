import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { chromium as browsers } from '@playwright/test';
import lighthouse from 'lighthouse';
import { chromium } from './browsers.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

/** Scores of 0 to 100. */
export type Scores = Record<(typeof CATEGORIES)[number], number>;

/** Lighthouse's judgement of a page, as a phone on a slow network would load it. */
export async function audit(url: string): Promise<Scores> {
  const port = await freePort();
  const { launchOptions } = chromium;
  const browser = await browsers.launch({
    ...launchOptions,
    args: [...launchOptions.args, `--remote-debugging-port=${port}`],
  });
  try {
    const report = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...CATEGORIES] });
    const score = (category: string) => Math.round((report!.lhr.categories[category]!.score ?? 0) * 100);
    return Object.fromEntries(CATEGORIES.map((category) => [category, score(category)])) as Scores;
  } finally {
    await browser.close();
  }
}

/** A port that nobody listens on: Lighthouse wants to be told one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
