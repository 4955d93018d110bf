import { type Locator, type Page, expect } from '@playwright/test';

/** The page with the form. */
export class FormPage {
  readonly title: Locator;
  readonly text: Locator;
  readonly syntax: Locator;
  readonly expiry: Locator;
  readonly save: Locator;
  /** The one calm line. A final word makes it an alert. */
  readonly line: Locator;

  /** `scripted`: whether the browser runs JavaScript. `site`: its address, for a browser that knows no base. */
  constructor(
    readonly page: Page,
    private readonly scripted: boolean,
    private readonly site = '',
  ) {
    this.title = page.getByRole('textbox', { name: 'Title' });
    this.text = page.getByRole('textbox', { name: 'Text' });
    this.syntax = page.getByRole('combobox', { name: 'Syntax' });
    this.expiry = page.getByRole('combobox', { name: 'Expires after' });
    this.save = page.getByRole('button', { name: 'Save', exact: true });
    this.line = page.getByRole('status').or(page.getByRole('alert'));
  }

  /** Opens an empty form. */
  async open(): Promise<void> {
    await this.page.goto(`${this.site}/`);
    await this.ready();
  }

  /** Reloads it as a person does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Closes the tab, as its cross does, and opens the form in another one once the draft it left can be seen there. */
  async openElsewhere(): Promise<FormPage> {
    // With `runBeforeUnload` the call returns while the page still runs.
    const closed = this.page.waitForEvent('close');
    await this.page.close({ runBeforeUnload: true });
    await closed;
    const next = new FormPage(await this.page.context().newPage(), this.scripted, this.site);
    await next.page.goto(`${this.site}/mine`);
    // Tabs of one site may be processes of their own, which learn of each other's storage a moment later.
    const drafts = () => next.page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('oncebin.draft.')));
    await expect.poll(drafts).toHaveLength(1);
    await next.open();
    return next;
  }

  /** Waits until the client is at work; until then a press of Save would go the way of a page without JavaScript. */
  async ready(): Promise<void> {
    if (this.scripted) await alive(this.page);
  }

  /** Puts a large text in at once, as a paste from the clipboard does. */
  async paste(text: string): Promise<void> {
    await this.text.evaluate((area: HTMLTextAreaElement, value) => {
      area.value = value;
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, text);
  }

  /** Writes `text` and presses Save. */
  async submit(text: string): Promise<void> {
    await this.text.fill(text);
    await this.save.click();
  }
}

/** The page that shows a result: `/saved` with JavaScript, the answer to the form without. */
export class ResultPage {
  readonly heading: Locator;
  readonly link: Locator;
  readonly token: Locator;
  readonly acknowledge: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { level: 1, name: /^Saved$|^Your saves$/ });
    this.link = page.getByRole('main').getByRole('link', { name: /^http/ });
    this.token = page.getByText(/^once_[0-9A-Za-z]{26}$/);
    this.acknowledge = page.getByRole('button', { name: 'I have saved it' });
  }
}

/** Waits until the client has started: until its loader has run to the end. Importing a module again only waits. */
async function alive(page: Page): Promise<void> {
  const loader = await page.locator('script[type="module"]').getAttribute('src');
  await page.evaluate(`import(${JSON.stringify(loader)}).then(() => null)`);
}
