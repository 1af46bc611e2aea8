import { describe, expect, test } from 'vitest';

import { admin, auditor, ordering, signedInAs, signedUp } from '../orders/testing/ordering.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import type { SecurityView } from './security-log.ts';
import { alice, logIn } from './testing/people.ts';

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true });
const [books, staff] = [await signedInAs(shop, auditor), await signedInAs(shop, admin)];

type Page = { events: SecurityView[]; nextCursor: string | null };
const read = async (query = ''): Promise<Page> => {
  const { status, body } = await books.get(`/api/audit/security${query}`);
  expect(status).toBe(200);
  return body as Page;
};
const latest = async (kind: string): Promise<SecurityView | undefined> => (await read(`?kind=${kind}&limit=1`)).events[0];

describe('the security log', () => {
  test('is sorted newest first, in pages', async () => {
    for (let times = 0; times < 4; times++)
      await logIn(ordering(shop), { email: `nobody-${times}@example.com`, password: `guess ${times}` });
    const first = await read('?kind=login_failed&limit=3');
    const second = await read(`?kind=login_failed&limit=3&cursor=${first.nextCursor ?? ''}`);
    const ids = [...first.events, ...second.events].map(({ _id }) => Number(_id));
    expect(first.events).toHaveLength(3);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(new Set(ids).size).toBe(ids.length);
    expect(second.nextCursor).toBeNull();
    expect(first.events[0]).toMatchObject({ kind: 'login_failed', requestId: expect.any(String), address: expect.any(String) });
    expect(JSON.stringify([first, second])).not.toMatch(/nobody-\d@example\.com|guess/);
  });

  test.each(['?kind=nothing', '?limit=0', '?cursor=x'])('refuses an invalid query (%s)', async (query) => {
    expect((await books.get(`/api/audit/security${query}`)).status).toBe(400);
  });

  test.each([
    ['/api/contact', 'contacts_read', {}],
    ['/api/subscribe', 'subscribers_read', {}],
    ['/api/audit/events?category=order&limit=5', 'audit_read', { route: '/api/audit/events' }],
    ['/api/admin/subscribers.csv', 'downloaded', { file: 'subscribers' }],
  ])('records who has read %s', async (call, kind, detail) => {
    const answer = await staff.get(call);
    expect(answer.status).toBe(200);
    expect(await latest(kind)).toMatchObject({
      subject: expect.stringMatching(/^user:/),
      requestId: answer.headers['x-request-id'],
      detail,
    });
  });

  test('contains exports, requests for erasure and their completion', async () => {
    const at = await signedUp(shop, 'leaving@example.com');
    const exported = await at.get('/api/user/export');
    expect(await latest('exported')).toMatchObject({ requestId: exported.headers['x-request-id'] });
    const erased = await at.post('/api/user/erase', { password: alice.password });
    expect(await latest('erasure_asked')).toMatchObject({ requestId: erased.headers['x-request-id'] });
    expect(await latest('erased')).toMatchObject({ subject: (await latest('erasure_asked'))?.subject });
  });
});
