import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, holdBack, openBrowserShop, works, type BrowserShop } from './harness.ts';

const PRODUCT = 'oud-saffron-majlis';

let shop: BrowserShop;
let rename: (name: string) => Promise<void>;
/** Sets the product's stock to this number of bottles. */
let count: (bottles: number) => Promise<void>;

beforeAll(async () => {
  shop = await openBrowserShop();
  const { page } = await shop.visit('desktop');
  await page.request.post('/api/user/login', { data: admin });
  const put = async (path: string, data: object): Promise<void> => {
    expect((await page.request.put(`/api${path}/${PRODUCT}`, { data })).status()).toBe(200);
  };
  rename = (name) => put('/product', { name });
  count = (bottles) => put('/admin/stock', { count: bottles });
});
afterAll(() => shop.close());

test('a page hydrates as it was rendered even if the catalogue changes meanwhile', async () => {
  const { page, problems } = await shop.visit('desktop');
  let isOver = false;
  const changes = (async () => {
    for (let edit = 1; !isOver; edit++) {
      await rename(`Oud Saffron ${edit}`);
      await count(edit % 4);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  for (let load = 0; load < 5; load++) for (const path of ['/', '/shop', `/product/${PRODUCT}`]) await page.goto(path);
  isOver = true;
  await changes;
  expect(problems).toEqual([]);
});

test.each(['/', '/shop', `/product/${PRODUCT}`])('%s can hydrate after more than a minute, and then shows current data', async (path) => {
  await rename('Oud Saffron Majlis');
  const { page, problems } = await shop.visit('desktop');
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 61_000;
  });
  const release = await holdBack(page, '**/assets/*.js');
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByText('Oud Saffron Majlis').first().waitFor();
  await rename('Oud of an hour later');
  release();
  await works(page);
  await page.getByText('Oud of an hour later').first().waitFor();
  expect(problems).toEqual([]);
});
