import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { instant } from '#domain/shared/time.ts';

import { alice, bob } from '../testing/people.ts';
import { holdTheClock, openAccountsForTest, openAccountsShop, passTime, type AccountsShop } from '../testing/accounts-shop.ts';
import { getClientAddress } from '../../http/context.ts';

beforeEach(holdTheClock);
afterEach(() => vi.useRealTimers());

const ASKING = { ip: '127.0.0.1', state: { requestId: 'a-request', arrivedAt: instant('2026-11-14T08:00:00.000Z') } };

describe('the limit of all writes', () => {
  let one: AccountsShop;
  beforeAll(async () => {
    one = await openAccountsShop();
  });
  afterAll(() => one.close());

  const written = async (shop: AccountsShop, ip: string, times: number): Promise<number> => {
    let through = 0;
    for (let time = 0; time < times; time++) {
      try {
        await shop.accounts.limits.spendWrite({ ...ASKING, ip });
        through += 1;
      } catch (refused) {
        expect(refused).toMatchObject({ answer: { status: 429 } });
      }
    }
    return through;
  };

  test('is exactly six hundred a minute for an address', async () => {
    expect(await written(one, '198.51.100.1', 700)).toBe(600);
    expect(await written(one, '198.51.100.2', 1)).toBe(1);
    passTime(60_001);
    expect(await written(one, '198.51.100.1', 700)).toBe(600);
  });

  test('holds for concurrent writes', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 900 }, async () => one.accounts.limits.spendWrite({ ...ASKING, ip: '198.51.100.4' })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(600);
  });

  test('answers 429 with the time to wait', async () => {
    await written(one, '127.0.4.1', 600);
    const refused = await one.browser('127.0.4.1').post('/api/cart/add-to-cart', {});
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' }, headers: { 'retry-after': '60' } });
    expect((await one.browser('127.0.4.1').get('/api/cart/get-cart')).status).toBe(200);
  });

  test('asks no database', async () => {
    const asked = vi.spyOn(one.pool, 'query');
    await written(one, '198.51.100.5', 700);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });
});

describe('a limit', () => {
  test('allows twenty registrations of an address in an hour', async () => {
    const shop = await openAccountsForTest();
    for (let time = 1; time <= 21; time++) {
      const { status } = await shop.browser().post('/api/user/register', { ...alice, email: `alice-${time}@example.com` });
      expect(status).toBe(time <= 20 ? 201 : 429);
    }
    expect((await shop.browser('127.0.5.1').post('/api/user/register', bob)).status).toBe(201);
    passTime(3_600_001);
    expect((await shop.browser().post('/api/user/register', bob)).status).toBe(201);
  });

  test('allows thirty codes from an address in an hour', async () => {
    const shop = await openAccountsForTest();
    for (let time = 1; time <= 31; time++) {
      const { status } = await shop.browser().post('/api/user/verify-otp', { userId: crypto.randomUUID(), otp: '123456' });
      expect(status).toBe(time <= 30 ? 400 : 429);
    }
  });

  test('is shared by processes, and multiplied by the factor', async () => {
    const one = await openAccountsShop({ rateLimitFactor: 0.5 });
    const other = await openAccountsForTest({ rateLimitFactor: 0.5, databaseUrl: one.databaseUrl });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, time) => {
        const shop = time % 2 === 0 ? one : other;
        const { status } = await shop.browser(`127.0.6.${time + 1}`).post('/api/user/login', { email: alice.email, password: 'a guess' });
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    await one.close();
  });

  test('stores a hash of an address, not the address', async () => {
    const shop = await openAccountsForTest();
    await shop.browser().post('/api/user/login', { email: alice.email, password: 'a guess' });
    const { rows } = await shop.pool.query<{ key: string }>('select key from shop.rate_limits');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/alice|127\.0/);
  });
});

describe('the network address', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (ip, counted) => expect(getClientAddress({ ip })).toBe(counted));
});
