import { chromium, type Page } from 'playwright-core';
import { screens } from './harness.ts';
import { getLaunchOptions, startShop } from './servers.ts';

/*
 * Measures the speed of the shop on a phone with a slow connection: `npm run build && npx tsx web/browser-tests/speed.ts`. Network and
 * processor are throttled like in Lighthouse for phones; each page is opened five times by a new visitor.
 */
const PAGES = ['/', '/shop', '/product/oud-saffron-majlis'];
const VISITS = 5;
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: (1.6 * 2 ** 20) / 8, uploadThroughput: (0.75 * 2 ** 20) / 8 };
const SLOW_PROCESSOR = { rate: 4 };

/** `largest` is in ms from the start of the navigation, `shift` has no unit, `script` is in bytes as sent. */
type Speed = { readonly largest: number; readonly shift: number; readonly script: number };

const watchPaint = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const seen = { largest: 0, shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.largest = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += Number(Reflect.get(entry, 'value'));
    }).observe({ type: 'layout-shift', buffered: true });
  });

const [shop, browser] = await Promise.all([startShop(), chromium.launch(getLaunchOptions())]);

const visit = async (address: string): Promise<Speed> => {
  const page = await browser.newPage({ viewport: screens.phone, hasTouch: true });
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', SLOW_LINE);
  await line.send('Emulation.setCPUThrottlingRate', SLOW_PROCESSOR);
  await watchPaint(page);
  let script = 0;
  const sizes: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => void (script += responseBodySize)));
  });
  await page.goto(shop.url + address, { waitUntil: 'networkidle', timeout: 60_000 });
  await Promise.all(sizes);
  const seen: Omit<Speed, 'script'> = await page.evaluate(() => Reflect.get(window, 'seen'));
  await page.close();
  return { ...seen, script };
};

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

try {
  for (const address of PAGES) {
    const speeds: Speed[] = [];
    for (let each = 0; each < VISITS; each++) speeds.push(await visit(address));
    const [largest, shift, script] = (['largest', 'shift', 'script'] as const).map((what) => median(speeds.map((speed) => speed[what])));
    console.log(
      `${address}: LCP ${Math.round(largest ?? 0)} ms, CLS ${(shift ?? 0).toFixed(3)}, script ${((script ?? 0) / 1000).toFixed(1)} kB`,
    );
  }
} finally {
  await browser.close();
  await shop.close();
}
