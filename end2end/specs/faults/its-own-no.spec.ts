import { randomUUID } from 'node:crypto';
import { type Attempts, expect, servedBy, test } from '../../support/faults.ts';
import type { Oncebin } from '../../support/oncebin.ts';
import type { ResultPage } from '../../support/pages.ts';

// Here the server itself says "not now": its own headers are what the client reads.

/**
 * Lets the browser's time pass until the result is shown, but not while an attempt is under way. The server's own time
 * cannot be turned.
 */
async function waitUntilShown({ page, token }: ResultPage, attempts: Attempts): Promise<void> {
  await expect(async () => {
    await attempts.over(page);
    await page.clock.fastForward(30_000);
    await expect(token).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

// Room for another save comes every five seconds: time enough for a busy machine to press Save before.
const limited = test.extend<object, { oncebin: Oncebin }>({ oncebin: servedBy('limited', ['--create-rate', '12']) });

limited('too many saves from one address are waited for', async ({ form, attempts, result, pastes, request }) => {
  await form.open();
  await form.text.fill('patient');
  const save = async () => {
    const headers = { 'idempotency-key': randomUUID() };
    return (await request.post('/api/pastes', { headers, data: { content: 'one of many' } })).status();
  };
  let saved = 0;
  let status: number;
  while ((status = await save()) === 201) saved++;
  await form.save.click();
  expect(status).toBe(429);
  await expect(form.line).toHaveText(
    /^The server asks for a pause\. Trying again in [1-5] seconds?; nothing is saved twice\.$/,
  );
  await waitUntilShown(result, attempts);
  expect(await pastes()).toBe(saved + 1);
  expect(new Set(attempts.keys).size).toBe(1);
});

test('a shard that is away is waited for', async ({ form, oncebin, attempts, result, expectOnePaste }) => {
  await form.open();
  await oncebin.runOnShards('create table away as select * from slot; delete from slot;');
  try {
    await form.submit('patient, too');
    await expect(form.line).toHaveText(
      'The server cannot save it just now. Trying again in 1 second; nothing is saved twice.',
    );
    await expect(form.text).toHaveValue('patient, too');
  } finally {
    await oncebin.runOnShards('insert into slot select * from away; drop table away;');
  }
  await waitUntilShown(result, attempts);
  await expectOnePaste('patient, too');
  expect(new Set(attempts.keys).size).toBe(1);
});
