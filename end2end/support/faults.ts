import { test as base } from './test.ts';

export * from './attempts.ts';
export { expect } from './test.ts';

/** The `test` of specs about faults: in their browser time stands still, and only `page.clock` lets it pass. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const time = Date.now();
    // Between the two calls time goes on, on a busy machine for seconds, and a clock cannot be paused in its past.
    await page.clock.install({ time: time - 60_000 });
    await page.clock.pauseAt(time);
    await use(page);
  },
});
