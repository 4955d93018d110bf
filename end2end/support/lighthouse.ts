import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { chromium as browsers } from '@playwright/test';
import lighthouse from 'lighthouse';
import { chromium } from './browsers.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

/** Scores of 0 to 100. */
export type Scores = Record<(typeof CATEGORIES)[number], number>;

/** How often Lighthouse is asked before a page counts as one that it cannot judge. */
const ATTEMPTS = 3;

/**
 * Lighthouse's judgement of a page, as a phone on a slow network would load it.
 *
 * On a busy machine one of its questions to the browser may come to nothing. It then gives the whole category no score,
 * which says nothing about the page, good or bad: it is asked again, and told why.
 */
export async function audit(url: string): Promise<Scores> {
  let unanswered = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const result = await ask(url);
    const scores = CATEGORIES.map((category) => [category, result.categories[category]!.score] as const);
    if (scores.every(([, score]) => score !== null)) {
      return Object.fromEntries(scores.map(([category, score]) => [category, Math.round(score! * 100)])) as Scores;
    }
    unanswered = whatFailed(result);
    console.log(`Lighthouse, attempt ${attempt} of ${ATTEMPTS}, could not judge ${url}: ${unanswered}`);
  }
  throw new Error(`Lighthouse could not judge ${url}: ${unanswered}`);
}

/** What Lighthouse says of a page in a browser of its own. */
async function ask(url: string): Promise<Result> {
  const port = await freePort();
  const { launchOptions } = chromium;
  const browser = await browsers.launch({
    ...launchOptions,
    args: [...launchOptions.args, `--remote-debugging-port=${port}`],
  });
  try {
    const report = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...CATEGORIES] });
    return report!.lhr;
  } finally {
    await browser.close();
  }
}

/** What kept the page from being loaded at all, or each audit that came to nothing with its reason. */
function whatFailed(result: Result): string {
  const audits = Object.values(result.audits).filter((one) => one.scoreDisplayMode === 'error');
  return result.runtimeError?.message ?? audits.map((one) => `${one.id}: ${one.errorMessage}`).join('; ');
}

/** A port that nobody listens on: Lighthouse wants to be told one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
