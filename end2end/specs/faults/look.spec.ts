import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { Gate, answered, expect, test } from '../../support/faults.ts';

/** Motion that goes on by itself; a short change of colour is none. */
const moving = (page: Page) =>
  page.evaluate(
    () => document.getAnimations().filter((one) => one.effect?.getTiming().iterations === Infinity).length,
  );

for (const [reducedMotion, motions] of [
  ['reduce', 0],
  ['no-preference', 1],
] as const) {
  test(`while a save is under way ${motions} things move for who asks for ${reducedMotion}`, async ({
    page,
    form,
    attempts,
  }) => {
    await page.emulateMedia({ reducedMotion });
    const gate = new Gate();
    attempts.meet(gate.fault);
    await form.open();
    await form.submit('slowly');
    await expect(form.line).toHaveText('Saving…');
    expect(await moving(page)).toBe(motions);
    if (motions === 1) await expectAccessible(page, 'saving-moves');
    gate.open();
  });
}

test('at 200 % and at 400 % zoom nothing has to be scrolled sideways', async ({ page, form }) => {
  await form.open();
  await form.text.fill('text');
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 400 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await form.save.scrollIntoViewIfNeeded();
    await expect(form.save).toBeInViewport();
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });

  test('the line and Save are in sight without scrolling', async ({ page, form, attempts }) => {
    await form.open();
    attempts.meet(answered(503, { 'retry-after': '60' }));
    await form.submit('in one hand');
    await expect(form.line).toContainText('60 seconds');
    await page.evaluate(() => scrollTo(0, 0));
    await expect(form.line).toBeInViewport({ ratio: 1 });
    await expect(form.save).toBeInViewport({ ratio: 1 });
  });
});

test('what cannot be pressed is not printed', async ({ page, form, result }) => {
  await form.open();
  await form.submit('on paper');
  await expect(result.token).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(result.token).toBeVisible();
  await expect(result.link).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'New paste' })).toBeHidden();
});
