import type axe from 'axe-core';
import { HtmlValidate } from 'html-validate';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { savePicture, screens } from './harness.ts';

declare global {
  interface Window {
    /** Defined in a page that `findFaults` has checked. */
    axe?: typeof axe;
  }
}

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * The size of targets is checked only on request. Passed rules are not described, because that takes longer than the check itself. Style
 * sheets and media are not fetched, because rules about screen orientation and audio do not apply here.
 */
const AXE_OPTIONS: axe.RunOptions = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'], preload: false };

/**
 * Returns the faults that axe finds on the page, or in a part of it, against WCAG 2.2 AA and axe's best practices: rule and place. axe is
 * loaded once per document and does not look into frames.
 */
export const findFaults = async (page: Page, part = 'html'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(([within, options]) => window.axe?.run(within, options), [part, AXE_OPTIONS] as const);
  if (found === undefined) throw new Error('The page changed before axe could look at it');
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
};

const validator = new HtmlValidate({ extends: ['html-validate:standard'] });

/** Returns where this HTML is not valid. */
export const findInvalid = async (html: string): Promise<string[]> => {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ message, selector }) => `${message}, ${selector}`));
};

/** Returns what extends beyond the right edge of the window. */
export const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('*')]
          .filter((each) => each.getBoundingClientRect().right > innerWidth)
          .map((each) => each.outerHTML.slice(0, 120)),
  );

/** Checks that axe finds nothing, once everything has loaded, because half-faded elements have too little contrast for a moment. */
export const hasNoFaults = (page: Page, part?: string): Promise<void> => expect.poll(() => findFaults(page, part)).toEqual([]);

/** The widths of a small phone, and of the two screens of the design. */
const WIDTHS = [320, screens.phone.width, screens.desktop.width];

/**
 * Checks the page as it is: that its HTML is valid, that axe finds no fault in it, or in a part of it, and that nothing extends beyond the
 * edge of a small phone, a phone and a desktop.
 */
export const lookAt = async (page: Page, name: string, part?: string): Promise<void> => {
  const size = page.viewportSize() ?? screens.phone;
  // The window's own width comes last, so that it has it again.
  for (const width of [...WIDTHS.filter((each) => each !== size.width), size.width]) {
    await page.setViewportSize({ ...size, width });
    await expect.poll(() => beyond(page)).toEqual([]);
    await savePicture(page, `${name}-${width}`);
  }
  await hasNoFaults(page, part);
  expect(await findInvalid(await page.content())).toEqual([]);
};

/** Returns controls that are too narrow, so that their text is cut off. */
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

/** Readers may set this spacing themselves, and nothing may get lost (WCAG 2.2, 1.4.12). */
export const TEXT_SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';

export type Stop = {
  /** The tag and name identify the stop in a failed test. */
  readonly name: string;
  /** Whether any part of it is visible: within the window, and not under the sticky header. */
  readonly seen: boolean;
  readonly marked: boolean;
};

/** Returns where the focus is; undefined on the page itself, before the first and after the last stop. */
const findStop = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
    // A link that covers its card counts as being as large as the card.
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

/** No page has more stops. The limit ends the walk on a page that traps the focus. */
const MOST_STOPS = 200;

/** Returns every stop of the key `Tab`, or `Shift+Tab`, from here to the end of the page. */
export const walk = async (page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop[]> => {
  const stops: Stop[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press(key);
    const stop = await findStop(page);
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`The focus does not come out of the page: ${stops.at(-1)?.name}`);
};
