import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { enter } from './customers.ts';
import { beyond, cutOff, hasNoFaults, TEXT_SPACING } from './faults.ts';
import { screens, shop, type Visit } from './harness.ts';
import { admin, auditor } from './servers.ts';

const people = { stranger: undefined, buyer: undefined, admin, auditor };
type Person = keyof typeof people;

type State = {
  /** The name is part of the test's title: 'the shop, filtered'. */
  readonly name: string;
  /** May be made first, for example by an order. */
  readonly address: string | ((page: Page) => Promise<string>);
  /** The visitor. A stranger has no cookie. */
  readonly as?: Person;
  /** Runs before the page is opened, for example to make calls fail or scripts not load. */
  readonly before?: (page: Page) => Promise<unknown>;
  readonly reach?: (page: Page) => Promise<unknown>;
  /** An element that appears in this state. The test waits for it at each width. */
  readonly shows?: (page: Page) => Locator;
  /** Messages that the browser itself writes to the console about the failures of this state. No others are allowed. */
  readonly says?: RegExp;
  readonly only?: 'phone';
};

export const refuseAll = (page: Page, calls: string) =>
  page.route(calls, (route) => route.fulfill({ status: 503, json: { message: 'Resting', code: 'unavailable' } }));
export const RESTING = /503/;
export const NOT_FOUND = /404/;

const LONG_NAME = `The Extraordinarily Long Name Of A Perfume From Kannauj ${'Gulab'.repeat(20)}`.slice(0, 120);
export const called = <Product extends object>(product: Product, place: number) => ({
  ...product,
  _id: `perfume-${place}`,
  name: LONG_NAME,
});
const MANY = 12;
export const many = <Thing>(make: (place: number) => Thing): Thing[] => Array.from({ length: MANY }, (_, place) => make(place));
export const enlarge = <Answer>(page: Page, calls: string, larger: (answer: Answer) => unknown) =>
  page.route(calls, async (route) => {
    const response = await route.fetch();
    const answer: Answer = await response.json();
    const headers = { ...response.headers(), 'x-total-count': String(MANY) };
    await route.fulfill({ response, headers, json: larger(answer) });
  });

export const enlargeProducts = (page: Page) =>
  enlarge(page, '**/api/product?**', ([first = {}]: object[]) => many((place) => called(first, place)));

export const text = (shown: string | RegExp) => (page: Page) => page.getByText(shown).filter({ visible: true }).first();
export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first();
export const button = (name: string) => (page: Page) => page.getByRole('button', { name });
export const press = (name: string) => (page: Page) => button(name)(page).click();
export const longName = text(LONG_NAME);
export const alert = (page: Page) => page.getByRole('alert');

/** Resets the window on a URL of the shop that is no page, where nothing can disturb the next test. */
const leave = async ({ page, problems }: Visit): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('/favicon.svg');
  await page.evaluate(() => sessionStorage.clear());
  await page.mouse.move(0, 0);
  problems.length = 0;
};

/** Describes the visible elements of a part of the page, and their colours. Only what looks new can have new faults. */
const describeLook = (page: Page, part: string): Promise<string> =>
  page.evaluate(
    (within) =>
      [...document.querySelectorAll(`${within}, ${within} *`)]
        .filter((each) => each.checkVisibility())
        .map((each) => `${each.localName} ${each.getAttribute('class')} ${getComputedStyle(each).color}`)
        .join(),
    part,
  );

/** Checks that nothing is cut off in a narrow window and with wider text spacing. */
const losesNothing = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => beyond(page)).toEqual([]);
  await page.addStyleTag({ content: TEXT_SPACING });
  await expect.poll(() => cutOff(page)).toEqual([]);
  await expect.poll(() => beyond(page)).toEqual([]);
};

/** Registers a test for each of these states, which the visitor `usual` sees where a state names nobody. */
export const testScreens = (usual: Person, states: readonly State[]): void => {
  /** Each visitor has one window, because opening a page there takes far less work than in a new window. */
  const visitors = new Map<Person, Visit>();
  const looks = new Set<string>();
  beforeAll(async () => {
    for (const { as = usual } of states) {
      if (visitors.has(as)) continue;
      const visit = await shop.visit('phone');
      visitors.set(as, visit);
      const person = people[as];
      if (person) await enter(visit.page, person);
    }
  });

  test.each(states)(
    '$name has no accessibility faults, fits every window, and loses nothing in narrow ones or with wide text',
    async ({ as = usual, address, before, reach, shows, says, only }) => {
      const visited = visitors.get(as) ?? expect.fail('no visitor');
      const { page, problems } = visited;
      onTestFinished(() => leave(visited));
      await page.setViewportSize(screens.phone);
      // Without motion, no animation is half-way when the page is checked.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await before?.(page);
      await page.goto(typeof address === 'string' ? address : await address(page));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await reach?.(page);
      await shows?.(page).waitFor();

      await expect.poll(() => beyond(page)).toEqual([]);
      await hasNoFaults(page);
      looks.add(await describeLook(page, 'main'));
      if (only !== 'phone') {
        await page.setViewportSize(screens.desktop);
        await shows?.(page).waitFor();
        await expect.poll(() => beyond(page)).toEqual([]);
        // A state that a click or a failed call causes looks alike on phone and desktop, so the phone is enough.
        for (const part of reach || says ? [] : ['header', 'main', 'footer']) {
          const look = await describeLook(page, part);
          if (!looks.has(look)) await hasNoFaults(page, part);
          looks.add(look);
        }
      }
      await expect.poll(() => page.title()).toMatch(/^.+ · RUHANI$/);
      await losesNothing(page);
      expect(problems.filter((problem) => !says?.test(problem))).toEqual([]);
    },
  );
};
