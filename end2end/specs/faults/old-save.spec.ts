import { expectAccessible } from '../../support/accessible.ts';
import { broken, expect, saved, silent, test } from '../../support/faults.ts';

test('a save found after 25 hours is not sent again: the person decides', async ({
  page,
  form,
  attempts,
  result,
  stored,
  pastes,
}) => {
  await form.open();
  attempts.meet(saved(silent));
  await form.submit('long ago');
  await expect.poll(pastes).toBe(1);
  await page.goto('about:blank');
  await page.clock.fastForward('25:00:00');
  await form.open();
  await expect(form.line).toHaveText(
    /^This text was first sent more than 24 hours ago and may be saved already\./,
  );
  await expect(form.text).toHaveValue('long ago');
  await expectAccessible(page, 'stale');
  await attempts.settle(page, 1);
  await form.save.click();
  await expect(result.token).toBeVisible();
  expect(await stored(await result.link.innerText())).toBe('long ago');
  expect(await pastes()).toBe(2);
  expect(new Set(attempts.keys).size).toBe(2);
});

test('an attempt is not made when its save has become too old meanwhile', async ({
  page,
  form,
  attempts,
  pastes,
}) => {
  await form.open();
  attempts.allMeet(broken);
  await form.submit('all day long');
  await expect(form.line).toContainText('The server cannot be reached.');
  await page.clock.fastForward('24:00:01');
  await expect(form.line).toHaveRole('alert');
  await expect(form.line).toContainText('more than 24 hours ago');
  await attempts.settle(page, 1);
  expect(await pastes()).toBe(0);
});

test('a result that nobody acknowledged for 24 hours is reduced to its link', async ({
  page,
  form,
  attempts,
  result,
  stored,
  pastes,
}) => {
  await form.open();
  await form.submit('left alone');
  await expect(result.token).toBeVisible();
  const sent = attempts.keys.length;
  await page.goto('about:blank');
  await page.clock.fastForward('24:00:01');
  await page.goto('/saved');
  await expect(
    page.getByText('Saved more than 24 hours ago. Its delete token cannot be shown any more.'),
  ).toBeVisible();
  await expectAccessible(page, 'saved-too-old');
  expect(await stored(await result.link.innerText())).toBe('left alone');
  expect(await pastes()).toBe(1);
  await attempts.settle(page, sent);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(
    /left alone|once_|oncebin\.save\./,
  );
});
