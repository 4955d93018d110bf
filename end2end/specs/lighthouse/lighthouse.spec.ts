import { expect, test } from '../../support/test.ts';
import { audit } from '../../support/lighthouse.ts';

// Performance is told and judged by nobody here: it follows the load of the machine. What a browser has to fetch is
// judged to the byte by `cargo xtask build` and `test`.
const GOAL = 95;

// An attempt takes about 10 seconds, on a busy machine 40, and there may be three.
test.setTimeout(180_000);

for (const [name, address] of [
  ['form', async () => '/'],
  ['paste', save],
] as const) {
  test(`Lighthouse: the ${name} page`, async ({ oncebin }) => {
    const scores = await audit(oncebin.url + (await address(oncebin.url)));
    test.info().annotations.push({ type: 'Lighthouse', description: JSON.stringify(scores) });
    console.log(`Lighthouse, ${name} page: ${JSON.stringify(scores)}`);
    expect(scores.accessibility).toBeGreaterThanOrEqual(GOAL);
    expect(scores['best-practices']).toBeGreaterThanOrEqual(GOAL);
  });
}

/** A paste of a few hundred lines. */
async function save(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/pastes?title=Log&syntax=rust`, {
    method: 'POST',
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: 'fn main() { println!("{}", 1 + 1); }\n'.repeat(300),
  });
  return new URL(((await answer.json()) as { url: string }).url).pathname;
}
