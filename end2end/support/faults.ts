import { Gate, answered } from './attempts.ts';
import { expect, test as base } from './test.ts';

export * from './attempts.ts';
export { expect };
export { servedBy } from './test.ts';

/** The server cannot just now and asks for ten minutes. */
export const busy = answered(503, { 'retry-after': '600' });

interface Fixtures {
  /** Opens the form and saves a text; its attempt is under way until the gate is opened. */
  saveHeldBack: (text: string) => Promise<Gate>;
  /** Opens the form and saves a text; the server cannot just now and asks for ten minutes, which have begun. */
  savePutOff: (text: string) => Promise<void>;
}

/** The `test` of specs about faults: in their browser time stands still, and only `page.clock` lets it pass. */
export const test = base.extend<Fixtures>({
  page: async ({ page }, use) => {
    const time = Date.now();
    // Between the two calls time goes on, on a busy machine for seconds, and a clock cannot be paused in its past.
    await page.clock.install({ time: time - 60_000 });
    await page.clock.pauseAt(time);
    await use(page);
  },
  saveHeldBack: async ({ form, attempts }, use) =>
    use(async (text) => {
      const gate = new Gate();
      await form.open();
      attempts.meet(gate.fault);
      await form.submit(text);
      await expect(form.line).toHaveText('Saving…');
      return gate;
    }),
  savePutOff: async ({ form, attempts }, use) =>
    use(async (text) => {
      await form.open();
      attempts.meet(busy);
      await form.submit(text);
      await expect(form.line).toContainText('The server cannot save it just now. Trying again at ');
    }),
});
