import type { FormPage } from '../../support/pages.ts';
import { Gate, expect, test } from '../../support/faults.ts';

const PRESSES: Record<string, (form: FormPage) => Promise<void>> = {
  'Ctrl+Enter held down': async ({ text, page }) => {
    await text.focus();
    await page.keyboard.down('Control');
    for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
  },
  'Ctrl+Enter pressed three times': async ({ text }) => {
    for (let press = 0; press < 3; press++) await text.press('Control+Enter');
  },
  'a double click': async ({ save }) => save.dblclick(),
  'Enter in the title and a click': async ({ title, save }) => {
    await title.press('Enter');
    await save.click();
  },
};

for (const [name, press] of Object.entries(PRESSES)) {
  test(`${name} is one save`, async ({ form, attempts, expectOnePaste }) => {
    const gate = new Gate();
    await form.open();
    attempts.meet(gate.fault);
    await form.text.fill('once');
    await press(form);
    gate.open();
    await expectOnePaste('once');
    expect(new Set(attempts.keys).size).toBe(1);
  });
}
