import { Gate, expect, saved, silent, test } from '../../support/faults.ts';
import { FormPage, ResultPage } from '../../support/pages.ts';

test('two tabs save two texts and neither loses the other', async ({
  page,
  context,
  form,
  attempts,
  stored,
  pastes,
}) => {
  const other = new FormPage(await context.newPage(), true);
  await form.open();
  await other.open();
  attempts.meet(saved(silent), saved(silent));
  await form.submit('from the first tab');
  await other.submit('from the second tab');
  await expect.poll(pastes).toBe(2);
  await other.page.close();
  await page.goto('/saved');
  const result = new ResultPage(page);
  await expect(result.link).toHaveCount(2);
  const texts = await Promise.all((await result.link.allInnerTexts()).map(stored));
  expect(texts.toSorted()).toEqual(['from the first tab', 'from the second tab']);
  expect(await pastes()).toBe(2);
});
