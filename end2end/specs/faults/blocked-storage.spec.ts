import { expectAccessible } from '../../support/accessible.ts';
import { broken, expect, saved, test } from '../../support/hands.ts';
import { ONLY_HERE } from '../../support/misfortunes.ts';

/** Why a page of this site cannot store anything. */
const refusal = () => {
  try {
    return `it can: ${localStorage.length}`;
  } catch (error) {
    return (error as DOMException).name;
  }
};

test.beforeEach(async ({ hands, oncebin }) => hands.blockStorage(oncebin.url));

test('with storage blocked a save still works, and the page says that a reload loses it', async ({
  page,
  form,
  attempts,
  expectOnePaste,
}) => {
  await form.open();
  expect(await page.evaluate(refusal)).toBe('SecurityError');
  attempts.meet(saved(broken));
  await form.submit('kept in memory');
  await expect(form.line).toHaveText(ONLY_HERE);
  await expectAccessible(page, 'retrying-only-here');
  await page.clock.fastForward(500);
  await expectOnePaste('kept in memory');
  await expect(page.getByText('so only this page shows the token: a reload loses it.')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expectAccessible(page, 'saved-only-here');
});

test('after a result without storage the next save is shown in place, too', async ({
  page,
  form,
  result,
  pastes,
}) => {
  await form.open();
  await form.submit('one');
  await expect(result.token).toHaveCount(1);
  await form.submit('two');
  await expect(result.token).toHaveCount(2);
  expect(await pastes()).toBe(2);
});
