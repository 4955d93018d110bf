import { expect, test } from '../../support/test.ts';

test('a reload of the result shows the same link and token', async ({ page, form, result, expectOnePaste }) => {
  await form.open();
  await form.submit('reloaded');
  const [link, token] = [await result.link.innerText(), await result.token.innerText()];
  for (let reload = 0; reload < 2; reload++) {
    await page.reload();
    await expect(result.link).toHaveText(link);
    await expect(result.token).toHaveText(token);
  }
  await expectOnePaste('reloaded');
});

test('Forward to the result shows the same link and token', async ({ page, form, result, expectOnePaste }) => {
  await form.open();
  await form.submit('forward');
  const token = await result.token.innerText();
  await page.goBack();
  // Chromium asks before it sends a form again; a reload says yes.
  await expect(page.goForward()).rejects.toThrow('ERR_CACHE_MISS');
  await expect(page).toHaveURL(/^chrome-error:/);
  await page.reload();
  await expect(result.token).toHaveText(token);
  await expectOnePaste('forward');
});
