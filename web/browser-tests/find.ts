import type { Locator, Page } from 'playwright-core';

type Name = string | RegExp;

/** A text is the whole name. */
export const findButton = (within: Page | Locator, name: Name): Locator => within.getByRole('button', { name, exact: true });
export const findTitle = (page: Page, name: Name): Locator => page.getByRole('heading', { level: 1, name, exact: true });

/** The dialog that was opened last. */
export const findDialog = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog')).last();

/** Returns tag and name of what has the focus. */
export const findFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: focused } = document;
    const { labels = null } = focused instanceof HTMLInputElement ? focused : {};
    return `${focused?.tagName} ${focused?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? focused?.textContent?.slice(0, 80)}`;
  });

/** Counts what is clicked in this window from now on, whatever the click leads to. Can be called once for a window. */
export const countClicks = async (page: Page): Promise<() => number> => {
  let clicks = 0;
  await page.exposeFunction('noteClick', () => (clicks += 1));
  const listen = (): void => addEventListener('pointerdown', () => void Reflect.get(window, 'noteClick')(), { capture: true });
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => clicks;
};
