import { defineConfig } from '@playwright/test';
import { chromium } from './support/browsers.ts';

// Not a test: `npx playwright test --config=images.config.ts` takes the pictures of README.md anew.
export default defineConfig({
  testDir: 'images',
  workers: 1,
  reporter: 'list',
  use: { ...chromium, viewport: { width: 960, height: 560 }, timezoneId: 'Europe/Berlin' },
});
