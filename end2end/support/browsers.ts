import { devices } from '@playwright/test';

/** Debian's Chromium. As root it runs only without its sandbox; the other flags keep it quiet and off the network. */
export const chromium = {
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
      // An address of this machine that is no secure context.
      '--host-resolver-rules=MAP plain.test 127.0.0.1',
    ],
  },
};

/** Debian's Firefox, driven by WebDriver BiDi. */
export const firefox = {
  ...devices['Desktop Firefox'],
  browserName: 'firefox' as const,
  channel: 'moz-firefox',
  launchOptions: { executablePath: '/usr/bin/firefox-esr' },
};
