import { test as base } from './test.ts';

export * from './attempts.ts';
export { expect } from './test.ts';

/** The `test` of specs about faults: in their browser time stands still, and only `page.clock` lets it pass. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const time = Date.now();
    await page.clock.install({ time });
    await page.clock.pauseAt(time + 1_000);
    await use(page);
  },
});
