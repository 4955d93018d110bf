import path from 'node:path';
import { type WorkerFixture, test as base, expect } from '@playwright/test';
import { Attempts } from './attempts.ts';
import { Oncebin } from './oncebin.ts';
import { FormPage, ResultPage } from './pages.ts';

export { expect };

interface Fixtures {
  form: FormPage;
  result: ResultPage;
  /** The attempts of saves, from before the page is opened. */
  attempts: Attempts;
  /** How many pastes the server has, those of earlier tests left out. */
  pastes: () => Promise<number>;
  /** The text the server has at a link. */
  stored: (link: string) => Promise<string>;
  /** Expects that the result is shown, that its link leads to this text, and that there is no other paste. */
  expectOnePaste: (text: string) => Promise<void>;
}

/** An oncebin for each worker, with these flags; its log bears the name. */
export function servedBy(name: string, flags: string[] = []): [WorkerFixture<Oncebin, object>, { scope: 'worker' }] {
  const serve: WorkerFixture<Oncebin, object> = async ({}, use, worker) => {
    const logFile = path.join(worker.project.outputDir, `${name}-${worker.workerIndex}.log`);
    const oncebin = await Oncebin.create(logFile, flags);
    try {
      await oncebin.start();
      await use(oncebin);
    } finally {
      await oncebin.remove();
    }
  };
  return [serve, { scope: 'worker' }];
}

/** Playwright's `test`, with an oncebin for each worker: `page.goto('/')` is its start page. */
export const test = base.extend<Fixtures, { oncebin: Oncebin }>({
  oncebin: servedBy('oncebin'),
  baseURL: async ({ oncebin }, use) => use(oncebin.url),
  form: async ({ page, javaScriptEnabled }, use) => use(new FormPage(page, javaScriptEnabled !== false)),
  result: async ({ page }, use) => use(new ResultPage(page)),
  attempts: async ({ context }, use) => {
    const attempts = new Attempts();
    await attempts.watch(context);
    await use(attempts);
  },
  pastes: async ({ oncebin }, use) => {
    const before = await oncebin.pastes();
    await use(async () => (await oncebin.pastes()) - before);
  },
  stored: async ({ request }, use) =>
    use(async (link) => {
      const answer = await request.get(`${link}/raw`);
      return answer.ok() ? answer.text() : `status ${answer.status()}`;
    }),
  expectOnePaste: async ({ result, stored, pastes }, use) =>
    use(async (text) => {
      await expect(result.token).toBeVisible();
      expect(await stored(await result.link.innerText())).toBe(text);
      expect(await pastes()).toBe(1);
    }),
});
