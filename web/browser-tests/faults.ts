import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { screens, type BrowserShop } from './harness.ts';

declare global {
  interface Window {
    /** In a page that was looked at with `faultsOf`. */
    axe?: typeof axe;
  }
}

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * axe checks the size of targets only when asked to. What passed is not described, which takes longer than the check itself; and style sheets
 * and films are not fetched for rules about turned screens and sounds, of which there are none.
 */
const AXE_OPTIONS: axe.RunOptions = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'], preload: false };

/**
 * What axe finds on the page, or in a part of it, against WCAG 2.2 AA and its own best practice: rule and place.
 * axe is put into a document once, not for each look, and does not look into frames.
 */
export const faultsOf = async (page: Page, part = 'html'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(([within, options]) => window.axe?.run(within, options), [part, AXE_OPTIONS] as const);
  if (found === undefined) throw new Error('The page changed before axe could look at it');
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
};

/** Whether nothing reaches over the right edge of the window. */
export const fits = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** What reaches over the right edge of the window, from its tag on. */
const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('*')]
          .filter((each) => each.getBoundingClientRect().right > innerWidth)
          .map((each) => each.outerHTML.slice(0, 120)),
  );

/** That axe finds nothing, once what is on its way has come: what is half faded in has too little contrast for a moment. */
export const hasNoFaults = (page: Page, part?: string): Promise<void> => expect.poll(() => faultsOf(page, part)).toEqual([]);

export type Look = {
  /** A selector: axe looks at this part only. */
  readonly part?: string;
  /** Whether nothing may reach over the edge of a small phone (320 px) either. */
  readonly narrow?: boolean;
};

/** Looks at the screen as it stands: its picture, its faults, and whether it is as wide as the window. */
export const lookAt = async (shop: BrowserShop, page: Page, name: string, { part, narrow = false }: Look = {}): Promise<void> => {
  await expect.poll(() => beyond(page)).toEqual([]);
  await shop.picture(page, name);
  await hasNoFaults(page, part);
  const wide = page.viewportSize();
  if (!narrow || wide === null) return;
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => beyond(page)).toEqual([]);
  await page.setViewportSize(wide);
};

/** The same on a phone and on a desk, in one window, which then is as wide as before. */
export const lookAtBoth = async (shop: BrowserShop, page: Page, name: string, look?: Look): Promise<void> => {
  const before = page.viewportSize();
  for (const [screen, size] of Object.entries(screens)) {
    await page.setViewportSize(size);
    await lookAt(shop, page, `${name}-${screen}`, look);
  }
  if (before) await page.setViewportSize(before);
};

/** What stands on a line of its own too narrow for its words: controls whose text is cut off. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a, button, h1, h2, h3, p, dt, dd, label)')]
      .filter((each) => each.checkVisibility() && !each.closest('[inert], .sr-only, .truncate'))
      .filter((each) => {
        const { overflowX, overflowY } = getComputedStyle(each);
        const isCut = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
        return (
          (isCut(overflowX) && each.scrollWidth > each.clientWidth + 1) || (isCut(overflowY) && each.scrollHeight > each.clientHeight + 1)
        );
      })
      .map((each) => `${each.tagName}: ${each.textContent}`),
  );

/** The spacing that readers may set for themselves without anything getting lost (WCAG 2.2, 1.4.12). */
export const TEXT_SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';

export type Stop = {
  /** Tag and name, to be found by. */
  readonly name: string;
  /** Whether any of it can be seen: within the window, and not under the sticky header. */
  readonly seen: boolean;
  /** Whether the focus shows. */
  readonly marked: boolean;
};

/** Where the focus is now; undefined on the page itself, before the first and after the last stop. */
const stopOf = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
    // A link that covers its card is as large as the card.
    const box = focused.getBoundingClientRect();
    const header = document.querySelector('header');
    const { outlineStyle, boxShadow, position } = getComputedStyle(focused);
    const top = header && !header.contains(focused) && position !== 'fixed' ? header.getBoundingClientRect().bottom : 0;
    return {
      name: `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent}`,
      seen: box.bottom > top && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      marked: outlineStyle !== 'none' || boxShadow !== 'none',
    };
  });

/** More than any page has; a page where the focus is caught ends here. */
const MOST_STOPS = 200;

/** Every stop that the key `Tab`, or `Shift+Tab`, makes from here to the end of the page. */
export const walk = async (page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop[]> => {
  const stops: Stop[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press(key);
    const stop = await stopOf(page);
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`The focus does not come out of the page: ${stops.at(-1)?.name}`);
};
