import path from 'node:path';
import { expectAccessible } from '../../support/accessible.ts';
import { Oncebin } from '../../support/oncebin.ts';
import { expect, test } from '../../support/test.ts';

const small = test.extend<object, { oncebin: Oncebin }>({
  oncebin: [
    async ({}, use, worker) => {
      const log = path.join(worker.project.outputDir, `small-${worker.workerIndex}.log`);
      const oncebin = await Oncebin.create(log, ['--max-paste-bytes', '1KiB']);
      try {
        await oncebin.start();
        await use(oncebin);
      } finally {
        await oncebin.remove();
      }
    },
    { scope: 'worker' },
  ],
});

small('a text over the limit comes back, or waits behind Back', async ({ page, form, pastes }) => {
  await form.open();
  await form.submit('x'.repeat(1025));
  await expect(page.getByText('The paste is too large')).toBeVisible();
  await expectAccessible(page, 'too-large-no-js');
  // So much more that its fields were not read.
  await page.goto('/');
  await form.submit('x'.repeat(1 << 20));
  await expect(page.getByText('Your text is not lost: go back to find it in the form.')).toBeVisible();
  await expectAccessible(page, 'far-too-large-no-js');
  await page.goBack();
  await expect(form.text).toHaveValue('x'.repeat(1 << 20));
  expect(await pastes()).toBe(0);
});
