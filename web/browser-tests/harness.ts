import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type ConsoleMessage, type Page } from 'playwright-core';
import { inject, onTestFinished, TestRunner } from 'vitest';
import { startShop } from './servers.ts';

const SCREENSHOTS = path.resolve('.build/screenshots');

/** Every page is checked on these two screens, a phone and a desktop, which have the widths of the design. */
export const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export type Screen = keyof typeof screens;

/** A page in its own browser context, and its problems: errors and warnings in the console, exceptions, 5xx answers. */
export type Visit = { readonly page: Page; readonly problems: string[] };

export type BrowserShop = {
  readonly url: string;
  /**
   * Creates a visitor with this screen, who has no cookie and no page open yet. Relative URLs lead into the shop. A newcomer was never here
   * before; other visitors have files in their browser's cache, which saves the tests half of their time.
   */
  visit(screen: Screen, kind?: 'newcomer'): Promise<Visit>;
  /** Opens this URL with reduced motion, so that no animation is half-way during a check. */
  open(screen: Screen, address: string): Promise<Visit>;
};

/** The browser writes this about a page that started slowly, as on a busy machine. It is no problem of the shop. */
const IS_SLOW = /was preloaded using link preload but not used/;

/** An invoice comes a moment after its parcel has left, and a page that asks before is answered 404. */
const isEarlyInvoice = (message: ConsoleMessage): boolean =>
  message.location().url.endsWith('/invoice') && message.text().includes('status of 404 ');

const isProblem = (message: ConsoleMessage): boolean =>
  (message.type() === 'error' && !isEarlyInvoice(message)) || (message.type() === 'warning' && !IS_SLOW.test(message.text()));

const watch = (page: Page): string[] => {
  const problems: string[] = [];
  page.on('console', (message) => isProblem(message) && problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('response', (response) => response.status() >= 500 && problems.push(`${response.status()}: ${response.url()}`));
  return problems;
};

/** Waits until the open page is interactive, because a server-rendered page is not at first (web/start). */
export const works = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const root = document.getElementById('root');
    if (root === null || document.title.startsWith('Something went wrong')) return true;
    return root.hasChildNodes() && document.getElementById('scripts') === null;
  });

/** Holds back the answers from these URLs until the returned function is called. */
export const holdBack = async (page: Page, addresses: string | RegExp): Promise<() => void> => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

/** Measures layout shifts of the next page. The returned function gives their sum, as the browser computes it. */
export const watchShifts = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { shifted: Reflect.get(window, 'shifted') + Reflect.get(entry, 'value') });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifted'));
};

/** Makes the page wait after each navigation until it is interactive, unless the test itself says what it waits for. */
const patient = (page: Page): Page => {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (address, options) => {
    const answer = await goto(address, options);
    if (options?.waitUntil === undefined) await works(page);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    await works(page);
    return answer;
  };
  return page;
};

/** Long enough for a busy machine. */
const TIMEOUT_MS = 90_000;

let connected: Promise<Browser> | undefined;
const connect = (): Promise<Browser> => (connected ??= chromium.connect(inject('chromium')));

/** A request that a test still answers itself would otherwise fail when its page closes. */
const unroute = async (context: BrowserContext): Promise<void> => {
  for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
};

/** Leaves nothing of a visitor but the cache of their browser. */
const forget = async (context: BrowserContext): Promise<void> => {
  await unroute(context);
  for (const page of context.pages()) await page.close();
  await context.setOffline(false);
  await context.clearCookies();
};

const browserShop = (getUrl: () => string): BrowserShop => {
  const idle: Record<Screen, BrowserContext[]> = { phone: [], desktop: [] };
  const open = async (screen: Screen): Promise<BrowserContext> => {
    const size = { viewport: screens[screen], hasTouch: screen === 'phone' };
    const context = await (await connect()).newContext({ baseURL: getUrl(), locale: 'en-IN', ...size });
    context.setDefaultTimeout(TIMEOUT_MS);
    return context;
  };
  const visit: BrowserShop['visit'] = async (screen, kind) => {
    const context = (kind ? undefined : idle[screen].pop()) ?? (await open(screen));
    const giveBack = async (): Promise<void> => {
      await forget(context);
      idle[screen].push(context);
    };
    const close = async (): Promise<void> => {
      await unroute(context);
      await context.close();
    };
    // A page left open would disturb the next test, so it is closed. Pages opened before all tests are shared and stay open.
    if (TestRunner.getCurrentTest()) onTestFinished(kind ? close : giveBack);
    const page = patient(await context.newPage());
    return { page, problems: watch(page) };
  };
  return {
    get url() {
      return getUrl();
    },
    visit,
    open: async (screen, address) => {
      const opened = await visit(screen);
      await opened.page.emulateMedia({ reducedMotion: 'reduce' });
      await opened.page.goto(address);
      return opened;
    },
  };
};

/** The shop that the test files share. */
export const shop = browserShop(() => inject('shop'));

/** Opens another shop, for tests that change what all its visitors see. `settings` are additional environment variables. */
export const openBrowserShop = async (settings?: NodeJS.ProcessEnv): Promise<BrowserShop & { close(): Promise<void> }> => {
  const { url, close } = await startShop(settings);
  return Object.assign(
    browserShop(() => url),
    { close },
  );
};

/** Saves the whole page to `.build/screenshots/<name>.png` if PICTURES is set. The pictures are for people and slow to take. */
export const savePicture = async (page: Page, name: string): Promise<void> => {
  if (!process.env['PICTURES']) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
};
