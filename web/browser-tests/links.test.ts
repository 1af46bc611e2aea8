import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { enter } from './customers.ts';
import { holdBack, shop, works, type Visit } from './harness.ts';
import { admin } from './servers.ts';

const PAGES = [
  '/',
  '/shop',
  '/product/ruh-gulab',
  '/cart',
  '/checkout',
  '/about',
  '/contact',
  '/reviews',
  '/return-policy',
  '/privacy-policy',
  '/terms',
  '/signin',
  '/signup',
  '/nowhere',
];

/** One of each kind that comes rendered: only there can a link be clicked before React has taken it over. */
const RENDERED = ['/', '/shop', '/shop?collection=Oud', '/product/ruh-gulab', '/cart', '/checkout'];

/** Returns selectors of the links in header and footer that stay in the shop. */
const linksOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('header a, footer a')];
    const followed = links.filter((link) => link.origin === location.origin && link.checkVisibility());
    return [
      ...new Set(followed.map((link) => `${link.closest('header, footer')?.localName ?? ''} a[href="${link.getAttribute('href')}"]`)),
    ];
  });

/** Returns the URLs that the link may lead to. Only signed-in users see orders; others get the sign-in page. */
const endsOf = (link: string): readonly string[] => {
  const [, to = ''] = /href="([^"]+)"/.exec(link) ?? [];
  return to === '/viewAllOrders' ? [to, '/signin?from=%2FviewAllOrders'] : [to];
};

/** Clicks in the page itself as soon as the link exists or, with `hydrating`, as soon as React has taken it over. */
const clickFirst = (page: Page, link: string, hydrating = false): Promise<void> =>
  page.evaluate(
    ([selector, isAwaited]) =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        const look = (): void => {
          const found = document.querySelector<HTMLElement>(selector);
          if (!found || (isAwaited && !Object.keys(found).some((key) => key.startsWith('__reactProps')))) return port2.postMessage(null);
          port1.close();
          resolve();
          // The click comes after the answer, because a document that is left sends no answer.
          return void setTimeout(() => found.click());
        };
        port1.addEventListener('message', look);
        port1.start();
        look();
      }),
    [link, hydrating] as const,
  );

/** Waits for the page that the link leads to. Returns what went wrong. */
const arrive = async ({ page, problems }: Visit, link: string): Promise<string[]> => {
  await page.waitForURL(({ pathname, search }) => endsOf(link).includes(pathname + search), { waitUntil: 'commit' });
  await works(page);
  await page.locator('main h1').filter({ visible: true }).first().waitFor();
  if ((await page.title()).startsWith('Something went wrong')) problems.push('the error screen');
  return problems.splice(0);
};

/** Each moment opens the page and clicks one of its links. */
const moments: Readonly<Record<string, (page: Page, from: string, link: string) => Promise<void>>> = {
  'before the scripts have come': async (page, from, link) => {
    const release = await holdBack(page, '**/assets/*.js');
    await page.goto(from, { waitUntil: 'commit' });
    await clickFirst(page, link);
    await page.waitForURL(({ pathname, search }) => endsOf(link).includes(pathname + search), { waitUntil: 'commit' });
    release();
    await page.unrouteAll({ behavior: 'wait' });
  },
  'while it hydrates': async (page, from, link) => {
    await page.goto(from, { waitUntil: 'commit' });
    await clickFirst(page, link, true);
  },
  'at its load': async (page, from, link) => {
    await page.goto(from, { waitUntil: 'load' });
    await clickFirst(page, link);
  },
};

test('every link works on a rendered page, however early it is clicked', async () => {
  const visit = await shop.visit('desktop');
  await visit.page.goto('/');
  const links = await linksOn(visit.page);
  const clicks = RENDERED.flatMap((from) => Object.entries(moments).map(([moment, click]) => ({ from, moment, click })));
  const wrong: string[] = [];
  for (const [index, { from, moment, click }] of clicks.entries()) {
    const link = links[index % links.length] ?? '';
    await click(visit.page, from, link);
    for (const problem of await arrive(visit, link)) wrong.push(`${from}, ${link}, ${moment}: ${problem}`);
  }
  expect(wrong).toEqual([]);
});

/** These pages draw their frame, with its links, before their screen. */
test.each([
  ['/viewAllOrders', 'MyOrdersScreen'],
  ['/contact', 'contact-screen'],
])('a link that is clicked on %s while its screen is held back is followed', async (from, screen) => {
  const visit = await shop.visit('desktop');
  const { page } = visit;
  if (from === '/viewAllOrders') await enter(page, admin);
  const link = 'footer a[href="/about"]';
  const release = await holdBack(page, new RegExp(`/assets/${screen}-`));
  await page.goto(from, { waitUntil: 'commit' });
  await clickFirst(page, link);
  await page.waitForURL('**/about', { waitUntil: 'commit' });
  release();
  expect(await arrive(visit, link)).toEqual([]);
});

type Way = { readonly selector: string; readonly ends: readonly string[] };

/**
 * Clicks every fourth link on each of these pages in one document, on and on as long as the page has one that was not clicked there, so that
 * every link is clicked on several pages. A page that no link leads to is opened by its address. Returns what went wrong.
 */
const walk = (page: Page, pages: readonly string[], ways: readonly Way[]): Promise<string[]> =>
  page.evaluate(
    async ([addresses, all]) => {
      const left = new Map(addresses.map((address, page) => [address, all.filter((_, way) => way % 4 === page % 4)]));
      const wrong: string[] = [];
      const follow = async (step: string, ends: readonly string[], lead: () => void): Promise<void> => {
        const [{ pathname }, { title }] = [location, document];
        lead();
        const isThere = (): boolean => ends.includes(location.pathname + location.search);
        // The URL changes before the page does.
        const isNew = (): boolean => location.pathname === pathname || document.title !== title;
        const isDrawn = (): boolean => isNew() && document.querySelector('main h1') !== null;
        for (const end = performance.now() + 20_000; !(isThere() && isDrawn()); await new Promise((resolve) => setTimeout(resolve, 5)))
          if (performance.now() > end) throw new Error(`${step}: still at ${location.href}, ${document.title}`);
        if (document.title.startsWith('Something went wrong')) wrong.push(`${step}: the error screen`);
      };
      for (const address of addresses) {
        const open = (): void => {
          history.pushState(null, '', address);
          dispatchEvent(new PopStateEvent('popstate', { state: null }));
        };
        while ((left.get(address) ?? []).length > 0) {
          await follow(address, [address], open);
          for (let way = left.get(address)?.pop(); way; way = left.get(location.pathname + location.search)?.pop()) {
            const { selector, ends } = way;
            await follow(`${location.pathname}, ${selector}`, ends, () => document.querySelector<HTMLElement>(selector)?.click());
          }
        }
      }
      return wrong;
    },
    [pages, ways] as const,
  );

test('every link works, and leads away from every page', async () => {
  const { page, problems } = await shop.open('desktop', '/');
  const links = await linksOn(page);
  expect(links.length).toBeGreaterThan(10);
  const ways = links.map((selector) => ({ selector, ends: endsOf(selector) }));
  expect(await walk(page, PAGES, ways)).toEqual([]);
  expect(problems).toEqual([]);
});

test.each(['desktop', 'phone'] as const)("every link of a visitor's and of an admin's menu works on a %s", async (screen) => {
  const { page, problems } = await shop.visit(screen);
  const follow = async (link: string): Promise<void> => {
    if (screen === 'phone' && link.startsWith('#')) await page.getByRole('button', { name: 'Menu' }).click();
    const before = await page.title();
    await clickFirst(page, link);
    await page.waitForURL(({ pathname }) => link.includes(`"${pathname}"`));
    // The URL changes before the page does, and the menu belongs to the page on which it was opened.
    await expect.poll(() => page.title()).not.toBe(before);
    await page.locator('main h1').filter({ visible: true }).first().waitFor();
    expect(await page.title()).not.toMatch(/^Something went wrong/);
  };
  await page.goto('/terms');
  if (screen === 'phone') for (const to of ['/', '/shop', '/about', '/contact', '/cart', '/signin']) await follow(`#menu a[href="${to}"]`);
  await enter(page, admin);
  await page.goto('/');
  const menu = screen === 'desktop' ? '#account-menu' : '#menu';
  for (const to of ['/cart', '/viewAllOrders', '/account', '/audit']) await follow(`${menu} a[href="${to}"]`);
  await follow('footer a[href="/admin/site-manager"]');
  expect(problems).toEqual([]);
});
