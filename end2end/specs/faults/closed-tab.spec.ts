import type { Page } from '@playwright/test';
import { expectAccessible } from '../../support/accessible.ts';
import { expect, saved, silent, test } from '../../support/faults.ts';
import { crash } from '../../support/misfortunes.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';

const ENDS: Record<string, (page: Page) => Promise<void>> = {
  'is closed': (page) => page.close(),
  crashes: crash,
};

for (const [how, end] of Object.entries(ENDS)) {
  test(`a tab ${how} in mid-save: the next one finishes the save`, async ({
    page,
    context,
    form,
    attempts,
    stored,
    pastes,
  }) => {
    await form.open();
    attempts.meet(saved(silent));
    await form.submit('gone too early');
    await expect.poll(pastes).toBe(1);
    await end(page);
    const next = new FormPage(await context.newPage(), true);
    await next.open();
    await expect(next.line).toHaveText('A text from earlier is saved now, too. Show it');
    await expectAccessible(next.page, 'earlier');
    await next.page.getByRole('link', { name: 'Show it' }).click();
    await next.page.getByRole('button', { name: 'Show the delete token' }).click();
    const result = new ResultPage(next.page);
    await expect(result.token).toBeVisible();
    expect(await stored(await result.link.innerText())).toBe('gone too early');
    expect(await pastes()).toBe(1);
  });
}
