import { expect, test } from '../../support/test.ts';

// Without reading on, a browser reports a broken connection instead of an answer that came while it was still sending.
for (const [what, key, status, code] of [
  ['too large', undefined, 413, 'paste_too_large'],
  ['without a good key', 'none', 400, 'idempotency_key_invalid'],
] as const) {
  test(`a browser that is still sending a save ${what} gets the refusal`, async ({ page, form }) => {
    await form.open();
    const answer = await page.evaluate(async (key) => {
      const sent = await fetch('/api/pastes', {
        method: 'POST',
        headers: { 'Idempotency-Key': key ?? crypto.randomUUID() },
        body: 'x'.repeat(10.5 * 1024 * 1024),
      });
      const { code } = (await sent.json()) as { code: string };
      return { status: sent.status, code };
    }, key);
    expect(answer).toEqual({ status, code });
  });
}
