import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';

import { duties, hasDuty, staffRoles } from '#domain/staff/duties.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../../cart/testing/shopping.ts';
import { streamCategories } from '../../event-store/stored-event.ts';
import { createRouter } from '../../http/router.ts';
import { ordering, signedUp, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { openShopForFile } from '../../testing/test-shop.ts';
import { alice, hashOf, logIn } from '../testing/people.ts';
import { describeAccess, ordersOfOthers, requireAccess, routeAccess } from './access.ts';

// It starts, so its routes are those of the table.
const shop = await openShopForFile({ projecting: true, reacting: true });

const callers = ['visitor', 'user', ...staffRoles] as const;
type Caller = (typeof callers)[number];

const enter = async (caller: Caller): Promise<OrderingBrowser> => {
  if (caller === 'visitor') return ordering(shop);
  const email = `${caller}@example.com`;
  const at = await signedUp(shop, email);
  if (caller !== 'user')
    await shop.pool.query('update shop.users set roles = $1 where address_hash = $2', [[caller], await hashOf(shop, email)]);
  return at;
};
const browsers = new Map<Caller, OrderingBrowser>();
for (const caller of callers) browsers.set(caller, await enter(caller));

/** Routes that end what the test needs, or answer for ever. */
const UNTRIED = new Set(['POST /user/logout', 'GET /admin/live']);

const isWishing = (route: string): boolean => /^(?:PUT|DELETE) \/user\/wishlist\//.test(route);

const expectedOf = (access: (typeof routeAccess)[string], caller: Caller, route: string): 'passes' | 401 | 403 => {
  const isOwnAccount = /^\/(?:user|payment)\//.test(route.split(' ')[1] ?? '') && !isWishing(route);
  const isReading = route.startsWith('GET ') || isOwnAccount;
  // No id in these paths exists, so a caller with the right gets another answer than 401 and 403, such as 404.
  if (access === 'everyone') return caller === 'auditor' && !isReading ? 403 : 'passes';
  if (caller === 'visitor') return 401;
  if (access !== 'signed in') return (duties[access] as readonly string[]).includes(caller) ? 'passes' : 403;
  return caller === 'auditor' && !isReading ? 403 : 'passes';
};

const spellings = (path: string): readonly string[] => [
  `${path}/`,
  path.replace('/api/', '/api//'),
  path.toUpperCase().replace('/API', '/api'),
];

const tried = Object.entries(routeAccess).filter(([route]) => !UNTRIED.has(route));
const fill = (route: string, id: string) => {
  const [method = '', template = ''] = route.split(' ');
  return { method, path: `/api${template.replaceAll(/:\w+/g, id)}` };
};
const call = (at: OrderingBrowser, method: string, path: string) =>
  at.send(method, path, method === 'GET' || method === 'DELETE' ? {} : { body: { isAdmin: true, roles: ['owner'] } });
const UNKNOWN_ID = '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4';

describe.each(tried)('%s', (route, access) => {
  const { method, path } = fill(route, UNKNOWN_ID);
  test.each(callers)('is answered to %s as the table says', async (caller) => {
    const at = browsers.get(caller) ?? expect.fail('no browser');
    const { status, body: answer } = await call(at, method, path);
    const { code } = (answer ?? {}) as { readonly code?: string };
    const expected = expectedOf(access, caller, route);
    if (expected === 'passes') expect(caller === 'visitor' ? ['not_allowed'] : ['not_allowed', 'not_signed_in']).not.toContain(code);
    else expect({ status, code }).toEqual({ status: expected, code: expected === 401 ? 'not_signed_in' : 'not_allowed' });
  });
});

test.each([
  ['visitor', 401],
  ['user', 403],
  ['auditor', 403],
] as const)('GET /admin/live, which answers others for ever, refuses %s', async (caller, status) =>
  expect((await call(browsers.get(caller) ?? expect.fail('no browser'), 'GET', '/api/admin/live')).status).toBe(status),
);

/** Has an invoice and a credit note, and belongs to none of the callers. */
const findSoldOrder = async (): Promise<string> => {
  await change([shop], oudSaffronMajlis, add());
  const [shopper, owner] = [ordering(shop), browsers.get('owner') ?? expect.fail('no browser')];
  const { _id } = await shopper.buy();
  for (const status of ['confirmed', 'shipped', 'delivered']) expect((await owner.move(_id, status)).status).toBe(200);
  await shopper.giveBack(_id);
  expect((await owner.takeBack(_id)).status).toBe(200);
  await vi.waitFor(async () => expect((await shopper.get(`/api/order/${_id}/credit-notes/1.pdf`)).status).toBe(200), { timeout: 30_000 });
  return _id;
};
const soldOrder = await findSoldOrder();

describe.each(tried.filter(([route]) => /^\w+ \/order\/.*:id/.test(route)))("%s of another's order", (route) => {
  const { method, path } = fill(route.replace(':place', '1'), soldOrder);
  const toRead = ordersOfOthers[route];
  test.each(callers)('is answered to %s as the table says', async (caller) => {
    const { status } = await call(browsers.get(caller) ?? expect.fail('no browser'), method, path);
    const isStaff = caller !== 'visitor' && caller !== 'user';
    if (toRead === undefined) expect(status).not.toBe(200);
    else expect(status).toBe(isStaff ? (hasDuty([caller], toRead) ? 200 : 403) : 404);
  });
});

test('an auditor without another role appends no event, neither with what a visitor had nor with a wish', async () => {
  const at = ordering(shop);
  await at.buy();
  await at.add({ _id: oudSaffronMajlis });
  const wish = `/api/user/wishlist/${oudSaffronMajlis}`;
  expect((await at.send('PUT', wish)).status).toBe(200);
  const before = await shop.store.head(streamCategories);
  const { status, body } = await logIn(at, { ...alice, email: 'auditor@example.com' });
  expect(status).toBe(200);
  for (const [method, path] of [
    ['PUT', wish],
    ['DELETE', wish],
    ['DELETE', `/api/cart/remove/${oudSaffronMajlis}`],
  ] as const)
    expect(await at.send(method, path)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  const { _id } = (body as { user: { _id: string } }).user;
  const appended = await shop.store.page(before, 1_000, streamCategories);
  expect(appended.filter(({ metadata }) => metadata.actor.id === _id)).toEqual([]);
});

test.each(tried.filter(([, access]) => access !== 'everyone'))('%s is answered to nobody else under another spelling', async (route) => {
  const { method, path } = fill(route, UNKNOWN_ID);
  const at = browsers.get('visitor') ?? expect.fail('no browser');
  for (const spelling of spellings(path)) expect([401, 404]).toContain((await call(at, method, spelling)).status);
});

const hostileIds = ['%00', '..%2f..', '%ud800', '%F0%9F%98%80', 'a'.repeat(500)];
const hostileQueries = [
  'q=a%00b',
  `q=${'a'.repeat(3_000)}`,
  'cursor=%00',
  'cursor=e30',
  'limit=1e9',
  'status=x&next=y',
  'from=99999-01-01&to=x',
];
const hostileBodies = [
  null,
  [],
  'x',
  { email: null, token: {}, shipping: 'x' },
  { reason: '\0', name: '\ud800', quantity: 1e99, code: '٠٠٠٠٠٠' },
];

test.each(tried)('%s fails for no hostile value', async (route) => {
  const at = browsers.get('owner') ?? expect.fail('no browser');
  for (const id of route.includes(':') ? hostileIds : ['']) {
    const { method, path } = fill(route, id);
    const requests = method === 'GET' ? hostileQueries.map((query) => ({ query })) : hostileBodies.map((body) => ({ query: '', body }));
    for (const { query, ...request } of requests) {
      const { status, body } = await at.send(method, `${path}?${query}`, request);
      // A shop without Google's keys answers 503.
      if (status !== 503) expect(status, `${path}?${query} ${JSON.stringify(body)}`).toBeLessThan(500);
    }
  }
});

describe('a server', () => {
  const routes = Object.keys(routeAccess);
  const routerWith = (names: readonly string[]) => {
    const router = createRouter({ prefix: '/api' });
    for (const name of names) {
      const [method = '', path = ''] = name.split(' ');
      router.register(path, [method], () => undefined);
    }
    return router;
  };

  test('starts with the routes of the table', () => expect(() => requireAccess([routerWith(routes)])).not.toThrow());
  test('does not start with a route of which the table says nothing', () =>
    expect(() => requireAccess([routerWith([...routes, 'GET /admin/secrets'])])).toThrow('who may call GET /admin/secrets'));
  test('does not start without a route of the table', () =>
    expect(() => requireAccess([routerWith(routes.slice(1))])).toThrow(`Nothing answers ${routes[0]}`));
});

test('the README shows the table', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const compact = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  expect(compact(readme)).toContain(compact(describeAccess()));
});
