import { defineConfig } from '@playwright/test';
import { chromium, firefox } from './support/browsers.ts';

// The folder of a spec says where it runs.
const everywhere = 'everywhere/**';
const withJavaScript = 'with-javascript/**';
const withoutJavaScript = 'without-javascript/**';
const faults = 'faults/**';

export default defineConfig({
  testDir: 'specs',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: { trace: 'retain-on-failure' },
  projects: [
    { name: 'js', testMatch: [everywhere, withJavaScript, faults], use: chromium },
    {
      name: 'no-js',
      testMatch: [everywhere, withoutJavaScript],
      use: { ...chromium, javaScriptEnabled: false },
    },
    { name: 'lighthouse', testMatch: 'lighthouse/**', use: chromium },
    // Not without JavaScript: WebDriver BiDi cannot turn it off, with `javascript.enabled` off Playwright cannot drive the
    // page, and the body of a posted form, which a lost reply needs, is not handed to it.
    { name: 'firefox', testMatch: [everywhere, withJavaScript], use: firefox },
  ],
});
