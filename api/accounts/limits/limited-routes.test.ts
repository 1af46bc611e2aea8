import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { holdTheClock, passTime } from '../testing/accounts-shop.ts';
import { browser } from '../testing/browser.ts';
import { openShopForFile } from '../../testing/test-shop.ts';

const shop = await openShopForFile({ people: { rateLimitFactor: 1 } });
beforeEach(holdTheClock);
afterEach(() => vi.useRealTimers());

const message = { name: 'Meera', message: 'Is the rose here?' };

test.each([
  ['/api/contact', 5, 201, message],
  ['/api/subscribe', 10, 201, {}],
  ['/api/subscribe/unsubscribe', 10, 200, {}],
  // The address is counted before the perfume is looked for.
  ['/api/product/nothing/notify', 10, 404, {}],
])('%s takes %i requests a minute from an address, and tells when to retry', async (path, most, status, body) => {
  const ask = (time: number, from = '127.0.9.1') => browser(shop.url, from).post(path, { ...body, email: `stranger-${time}@example.com` });
  for (let time = 1; time <= most; time++) expect((await ask(time)).status).toBe(status);
  const refused = await ask(most + 1);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await ask(most + 2, '127.0.9.2')).status).toBe(status);
  passTime(60_001);
  expect((await ask(most + 3)).status).toBe(status);
});

test('a mailed link to leave the list is not limited', async () => {
  const leave = () => browser(shop.url, '127.0.9.3').post('/api/subscribe/unsubscribe', { token: 'none' });
  for (let time = 1; time <= 11; time++) expect((await leave()).status).toBe(400);
});
