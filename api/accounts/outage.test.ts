import { describe, expect, test } from 'vitest';

import { alice, PASSWORD } from './testing/people.ts';
import { openAccountsForTest } from './testing/accounts-shop.ts';

const NOWHERE = 'postgres://shop:its-password@127.0.0.1:1/shop';
const userId = crypto.randomUUID();
const CALLS: [string, object][] = [
  ['register', alice],
  ['verify-otp', { userId, otp: '123456' }],
  ['resend-otp', { userId }],
  ['login', alice],
  ['forgot-password', { email: alice.email }],
  ['reset-password', { token: 'x'.repeat(43), password: PASSWORD, confirm_password: PASSWORD }],
];

describe('during an outage of the database', () => {
  test('nobody can sign in, and every response says only that the service is unavailable', async () => {
    const shop = await openAccountsForTest({ databaseUrl: NOWHERE });
    const at = shop.browser();
    at.cookies.set('session', 'x'.repeat(43));
    const answers = await Promise.all([
      ...CALLS.map(([call, body]) => at.post(`/api/user/${call}`, body)),
      at.post('/api/user/logout'),
      at.get('/api/user/fetch-user'),
      at.get('/api/admin/stats'),
      at.get('/api/order/get-AllOrders'),
    ]);
    for (const { status, body, headers } of answers) {
      expect(status).toBe(503);
      expect(body).toEqual({ message: expect.any(String), code: 'unavailable' });
      expect(headers['retry-after']).toBeDefined();
      expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0|select|shop\.|postgres|its-password/i);
    }
  });
});
