import { type BrowserContext, type Page, type Route, expect } from '@playwright/test';

/** What an attempt of a save meets on its way. */
export type Fault = (route: Route) => Promise<void>;

/** The connection breaks. */
export const broken: Fault = (route) => route.abort('connectionreset');

/** Nothing is in the way. */
export const passed: Fault = (route) => route.continue();

/** No answer ever comes. */
export const silent: Fault = async () => {};

/** This comes as the answer, from the server or from a proxy in front of it. */
export const answered =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (route) =>
    route.fulfill({ status, headers, contentType: 'text/html', body: `<h1>${status}</h1>` });

/** The server has saved the paste before the fault happens: what is lost is its answer. */
export const saved =
  (fault: Fault): Fault =>
  async (route) => {
    await route.fetch();
    await fault(route);
  };

/** Holds attempts back until it is opened. */
export class Gate {
  private readonly opened: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.opened = new Promise((resolve) => (this.open = resolve));
  }

  readonly fault: Fault = async (route) => {
    await this.opened;
    await route.continue();
  };
}

/** The attempts of saves, from every tab of a browser: which keys they carried, and what they meet. */
export class Attempts {
  /** The keys, in order. One that is there twice was sent again. */
  readonly keys: string[] = [];
  private readonly faults: Fault[] = [];
  private always?: Fault;

  /** Sees every attempt of this browser from now on. */
  async watch(context: BrowserContext): Promise<void> {
    await context.route('**/api/pastes', async (route) => {
      this.keys.push((await route.request().headerValue('idempotency-key'))!);
      const fault = this.faults.shift() ?? this.always;
      await (fault === undefined ? route.continue() : fault(route));
    });
  }

  /** The next attempts meet these, one each. */
  meet(...faults: Fault[]): void {
    this.faults.push(...faults);
  }

  /** Every attempt without a fault of its own meets this one, until `pass`. */
  allMeet(fault: Fault): void {
    this.always = fault;
  }

  /** Waits for the attempt of that number, from 1 on. Until it is under way no time may pass for its limit. */
  async reach(number: number): Promise<void> {
    await expect.poll(() => this.keys.length).toBe(number);
  }

  /** How many attempts are under way in all tabs: each has the lock of its save, or waits for it. Plain http has no locks. */
  async underWay(page: Page): Promise<number> {
    return page.evaluate(async () => {
      const { held, pending } = await navigator.locks.query();
      return held!.length + pending!.length;
    });
  }

  /** Waits until no attempt is under way. Until then no time may pass for what follows it: a lock is let go after that is set. */
  async over(page: Page): Promise<void> {
    await expect.poll(() => this.underWay(page)).toBe(0);
  }

  /** Expects that so many attempts were made and are over: a page that tries again has set its timer, and none has begun another. */
  async settle(page: Page, number: number): Promise<void> {
    await this.reach(number);
    await this.over(page);
    expect(this.keys).toHaveLength(number);
  }

  /** The way is free again. */
  pass(): void {
    this.always = undefined;
  }
}
