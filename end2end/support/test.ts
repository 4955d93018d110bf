import path from 'node:path';
import { test as base } from '@playwright/test';
import { Oncebin } from './oncebin.ts';

export { expect } from '@playwright/test';

/** Playwright's `test`, with an oncebin for each worker: `page.goto('/')` is its start page. */
export const test = base.extend<object, { oncebin: Oncebin }>({
  oncebin: [
    async ({}, use, worker) => {
      const logFile = path.join(worker.project.outputDir, `oncebin-${worker.workerIndex}.log`);
      const oncebin = await Oncebin.create(logFile);
      try {
        await oncebin.start();
        await use(oncebin);
      } finally {
        await oncebin.remove();
      }
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ oncebin }, use) => use(oncebin.url),
});
