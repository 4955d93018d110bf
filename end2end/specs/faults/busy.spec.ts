import { expectAccessible } from '../../support/accessible.ts';
import { type Fault, answered, expect, saved, test } from '../../support/faults.ts';

interface Answer {
  name: string;
  fault: Fault;
  line: string;
  wait: number;
}

const ANSWERS: Answer[] = [
  {
    name: '502 from a proxy that lost the answer',
    fault: saved(answered(502)),
    line: 'The server cannot save it just now. Trying again in 1 second; nothing is saved twice.',
    wait: 500,
  },
  {
    name: '503 with Retry-After',
    fault: answered(503, { 'retry-after': '7' }),
    line: 'The server cannot save it just now. Trying again in 7 seconds; nothing is saved twice.',
    wait: 7_000,
  },
  {
    name: '429 with Retry-After',
    fault: answered(429, { 'retry-after': '60' }),
    line: 'The server asks for a pause. Trying again in 60 seconds; nothing is saved twice.',
    wait: 60_000,
  },
];

for (const { name, fault, line, wait } of ANSWERS) {
  test(`${name} is waited for and ends as one paste`, async ({ page, form, attempts, expectOnePaste }) => {
    await form.open();
    attempts.meet(fault);
    await form.submit(name);
    await expect(form.line).toHaveText(line);
    await page.clock.fastForward(wait);
    await expectOnePaste(name);
  });
}

test('nothing is sent before Retry-After is over', async ({ page, form, attempts, pastes, expectOnePaste }) => {
  await form.open();
  attempts.meet(answered(429, { 'retry-after': '60' }));
  await form.submit('not yet');
  await expect(form.line).toContainText('60 seconds');
  await expectAccessible(page, 'retrying');
  await page.clock.fastForward(59_999);
  await attempts.settle(page, 1);
  expect(await pastes()).toBe(0);
  await page.clock.fastForward(1);
  await expectOnePaste('not yet');
});
