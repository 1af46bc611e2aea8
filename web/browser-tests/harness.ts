import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromium, type Browser, type ConsoleMessage, type Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';

const SERVER = path.resolve('.build/server/main.js');
const SCREENSHOTS = path.resolve('.build/screenshots');

/** Every page is checked on these two screens, a phone and a desktop, which have the widths of the design. */
export const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export type Screen = keyof typeof screens;

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'];

export const home = {
  name: 'Meera Nair',
  address1: '14 Marine Drive',
  address2: '',
  city: 'Kochi',
  state: 'Kerala',
  postalCode: '682031',
  country: 'India',
  phone: '+91 98470 00000',
  email: 'meera@example.com',
};

/** An admin, who may move orders, in every shop opened here. */
export const admin = { email: 'admin@ruhani.example', password: 'deg-bhapka-at-noon' } as const;

/** An auditor, who may read the audit, in every shop opened here. */
export const auditor = { email: 'books@ruhani.example', password: 'every-page-of-the-ledger' } as const;

/** A page in its own browser context, and its problems: errors and warnings in the console, exceptions, 5xx answers. */
export type Visit = { readonly page: Page; readonly problems: string[] };

export type BrowserShop = {
  readonly url: string;
  /** Creates a new visitor with this screen, who has no page open yet. Relative URLs lead into the shop. */
  visit(screen: Screen): Promise<Visit>;
  /** Opens this URL with reduced motion, so that no animation is half-way during a check. `width` is that of another window, in px. */
  open(screen: Screen, address: string, width?: number): Promise<Visit>;
  /** Saves the whole page to `.build/screenshots/<name>.png` if PICTURES is set. The pictures are for people and slow to take. */
  picture(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
};

type Server = { readonly url: string; readonly process: ChildProcess };

/** Starts the built shop on a free port, with its own database in `dataDir` and the opening catalogue. */
const startServer = async (dataDir: string, settings: NodeJS.ProcessEnv): Promise<Server> => {
  if (!existsSync(SERVER)) throw new Error('The shop is not built: npm run build');
  const people = { ADMIN_PASSWORD: admin.password, AUDITOR_EMAIL: auditor.email, AUDITOR_PASSWORD: auditor.password };
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...people, ...settings };
  const server = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(server.stdout)) {
    const [, url] = /^ *Shop +(http:\S+)/.exec(line) ?? [];
    if (!url) continue;
    // The output is not read any more, but a full pipe would stop the server.
    server.stdout.resume();
    return { url, process: server };
  }
  throw new Error('The shop did not open');
};

const stopServer = async ({ process: server }: Server): Promise<void> => {
  if (server.exitCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
};

const openOnce = async (): Promise<string> => {
  const dataDir = await mkdtemp(path.join(process.env['TEST_DATA'] ?? tmpdir(), 'opened-'));
  await stopServer(await startServer(dataDir, {}));
  return dataDir;
};
let opened: Promise<string> | undefined;

/** Returns a copy of a shop's data after its first start, which takes twice as long as later ones. The files keep their owner. */
const openedData = async (): Promise<string> => {
  opened ??= openOnce();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-browser-'));
  await promisify(execFile)('cp', ['-a', `${await opened}/.`, dataDir]);
  return dataDir;
};

/** The browser writes this about a page that started slowly, as on a busy machine. It is no problem of the shop. */
const IS_SLOW = /was preloaded using link preload but not used/;

const isProblem = (message: ConsoleMessage): boolean =>
  message.type() === 'error' || (message.type() === 'warning' && !IS_SLOW.test(message.text()));

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

const visitWith = async (browser: Browser, baseURL: string, screen: Screen): Promise<Visit> => {
  const context = await browser.newContext({ baseURL, viewport: screens[screen], hasTouch: screen === 'phone', locale: 'en-IN' });
  // A page left open would disturb the next test, so it is closed. Pages opened before all tests are shared and stay open.
  if (TestRunner.getCurrentTest()) onTestFinished(() => context.close());
  const page = patient(await context.newPage());
  return { page, problems: watch(page) };
};

/** Opens the built shop and a Chromium beside it. `settings` are additional environment variables. */
export const openBrowserShop = async (settings: NodeJS.ProcessEnv = {}): Promise<BrowserShop> => {
  const dataDir = await openedData();
  const server = await startServer(dataDir, settings);
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS });
  const visit: BrowserShop['visit'] = (screen) => visitWith(browser, server.url, screen);
  return {
    url: server.url,
    visit,
    open: async (screen, address, width) => {
      const opened = await visit(screen);
      if (width !== undefined) await opened.page.setViewportSize({ width, height: 640 });
      await opened.page.emulateMedia({ reducedMotion: 'reduce' });
      await opened.page.goto(address);
      return opened;
    },
    picture: async (page, name) => {
      if (!process.env['PICTURES']) return;
      await mkdir(SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
    },
    close: async () => {
      await browser.close();
      await stopServer(server);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
