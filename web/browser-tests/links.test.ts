import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, openBrowserShop, works, type BrowserShop, type Visit } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

/** This many tabs are walked in parallel. */
const TABS = 4;

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

/** Returns the links of header, menu and footer that stay in the shop. */
const linksOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('header a, footer a')];
    const followed = links.filter((link) => link.origin === location.origin && link.checkVisibility());
    return [
      ...new Set(followed.map((link) => `${link.closest('header, footer')?.localName ?? ''} a[href="${link.getAttribute('href')}"]`)),
    ];
  });

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

const titles = new Map<string, string>();

/** Each moment opens the page and clicks one of its links. */
const moments: Readonly<Record<string, (page: Page, from: string, link: string) => Promise<void>>> = {
  'before the scripts have come': async (page, from, link) => {
    await page.route('**/assets/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue().catch(() => {});
    });
    await page.goto(from, { waitUntil: 'commit' });
    await clickFirst(page, link);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  'while it hydrates': async (page, from, link) => {
    await page.goto(from, { waitUntil: 'commit' });
    await clickFirst(page, link, true);
  },
  'at its load': async (page, from, link) => {
    await page.goto(from, { waitUntil: 'load' });
    await clickFirst(page, link);
  },
  'when it stands': async (page, from, link) => {
    await page.goto(from);
    await clickFirst(page, link);
  },
};

/** Goes back to the page, unless the last link led to itself, and clicks another link. */
const clickAgain = async (page: Page, from: string, link: string): Promise<void> => {
  const isBack = ({ pathname, search }: URL): boolean => pathname + search === from;
  if (!isBack(new URL(page.url()))) await page.goBack();
  await page.waitForURL(isBack);
  await page.waitForFunction((title) => document.title === title, titles.get(from));
  await clickFirst(page, link);
};

const arrive = async ({ page, problems }: Visit, from: string, link: string): Promise<string[]> => {
  const [, to = ''] = /href="([^"]+)"/.exec(link) ?? [];
  // Only signed-in users see orders; others get the sign-in page.
  const isThere = ({ pathname, search }: URL): boolean => pathname + search === to || (to === '/viewAllOrders' && pathname === '/signin');
  await page.waitForURL(isThere);
  await works(page);
  // The URL changes before the page does.
  const changes = new URL(page.url()).pathname !== from;
  if (changes) await page.waitForFunction((before) => document.title !== before, titles.get(from));
  await page.locator('main h1').first().waitFor();
  if ((await page.title()).startsWith('Something went wrong')) problems.push('the error screen');
  // An unknown page is a 404, which the browser reports.
  return problems.splice(0).filter((problem) => from !== '/nowhere' || !problem.includes('404'));
};

/** Clicks every link on this page. The first links, which differ from row to row, are each clicked at one of the moments. */
const walkFrom = async (tab: Visit, row: number, links: readonly string[]): Promise<string[]> => {
  const { page } = tab;
  const from = PAGES[row] ?? '/';
  await page.goto(from);
  await page.locator('main h1').first().waitFor();
  titles.set(from, await page.title());
  const wrong: string[] = [];
  const cold = Object.entries(moments);
  for (const column of links.keys()) {
    const later = Math.floor(row / links.length);
    const [moment, click] = (column < cold.length && cold[(column + later) % cold.length]) || (['from here', clickAgain] as const);
    const link = links[(row + column) % links.length] ?? '';
    await click(page, from, link);
    for (const problem of await arrive(tab, from, link)) wrong.push(`${from}, ${link}, ${moment}: ${problem}`);
  }
  return wrong;
};

test.each(['desktop', 'phone'] as const)(
  'every link works on every page on a %s, whenever it is clicked',
  async (screen) => {
    const { page } = await shop.open(screen, '/');
    const all = await linksOn(page);
    // The desktop has all links. A phone's header has two; its menu is tested below.
    const links = screen === 'desktop' ? all : all.filter((link) => /"\/(?:cart)?"/.test(link));
    expect(links.length).toBeGreaterThan(1);
    const rows = PAGES.keys();
    const wrong = await Promise.all(
      Array.from({ length: TABS }, async () => {
        const tab = await shop.visit(screen);
        const found: string[] = [];
        // The tabs share the rows.
        for (const row of rows) found.push(...(await walkFrom(tab, row, links)));
        return found;
      }),
    );
    expect(wrong.flat()).toEqual([]);
  },
  600_000,
);

test('every link of the mobile menu works', async () => {
  const { page, problems } = await shop.visit('phone');
  for (const [index, to] of ['/', '/shop', '/about', '/contact', '/cart', '/signin'].entries()) {
    await page.goto(PAGES[index + 1] ?? '/', { waitUntil: index % 2 === 0 ? 'load' : 'commit' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await clickFirst(page, `#menu a[href="${to}"]`);
    await page.waitForURL(({ pathname }) => pathname === to);
    await page.locator('main h1').first().waitFor();
  }
  expect(problems).toEqual([]);
});

test.each(['desktop', 'phone'] as const)("every link of an admin's menu and footer works on a %s", async (screen) => {
  const { page, problems } = await shop.visit(screen);
  await page.request.post('/api/user/login', { data: admin });
  const menu = screen === 'desktop' ? '#account-menu' : '#menu';
  for (const link of [
    ...['/cart', '/viewAllOrders', '/account', '/audit'].map((to) => `${menu} a[href="${to}"]`),
    'footer a[href="/admin/site-manager"]',
  ]) {
    await page.goto('/');
    if (screen === 'phone' && link.startsWith('#')) await page.getByRole('button', { name: 'Menu' }).click();
    await clickFirst(page, link);
    await page.waitForURL(({ pathname }) => link.includes(`"${pathname}"`));
    await page.locator('main h1').first().waitFor();
    expect(await page.title()).not.toMatch(/^Something went wrong/);
  }
  expect(problems).toEqual([]);
});
