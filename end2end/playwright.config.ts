import { defineConfig, devices } from '@playwright/test';

// Debian's Chromium. As root it runs only without its sandbox; the other flags keep it quiet and off the network.
const chromium = {
  ...devices['Desktop Chrome'],
  channel: undefined,
  launchOptions: {
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  },
};

// Every spec runs twice: the pages must work without JavaScript too.
export default defineConfig({
  testDir: 'specs',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: { trace: 'retain-on-failure' },
  projects: [
    { name: 'js', use: chromium },
    { name: 'no-js', use: { ...chromium, javaScriptEnabled: false } },
  ],
});
