import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';

import { toWire } from '#projections/wire.ts';

import { readyOn, type ReadyRoute } from './ready-routes.ts';

const routeWith = (changes: Partial<ReadyRoute> = {}): ReadyRoute => ({
  path: '/api/scents',
  isCurrent: () => true,
  answer: (_, query) => Promise.resolve(toWire(`["${query}"]`)),
  ...changes,
});

/** What is found for a request of somebody who brings a cookie, asked as plainly as can be but for these changes. */
const find = (route: ReadyRoute, { headers, ...changes }: { method?: string; url?: string; headers?: object } = {}) => {
  const req = { method: 'GET', url: '/api/scents', ...changes, headers: { cookie: 'session=1', ...headers } };
  return readyOn([route], () => undefined)(req as IncomingMessage); // of which nothing else is looked at
};

test('what is asked plainly is answered, under the name of its route', async () => {
  expect(await find(routeWith(), { url: '/api/scents?limit=20&q=a?b' })?.()).toEqual({
    route: 'GET /api/scents',
    headers: ['Cache-Control', 'no-store', 'Content-Type', 'application/json; charset=utf-8'],
    body: '["limit=20&q=a?b"]',
  });
});

test.each([
  ['by somebody without a cookie', { headers: { cookie: undefined } }],
  ['by another method', { method: 'HEAD' }],
  ['with a body', { headers: { 'content-length': '2' } }],
  ['with a body of unknown length', { headers: { 'transfer-encoding': 'chunked' } }],
  ['at another address', { url: '/api/scents/' }],
  ['in an odd way', { url: '/api/scents?q=a#b' }],
])('what is asked %s is not', (_, changes) => {
  expect(find(routeWith(), changes)).toBeUndefined();
});

test('what has to be waited for is not', () => expect(find(routeWith({ isCurrent: () => false }))).toBeUndefined());

test('who may not ask is told nothing', async () => {
  expect(await find(routeWith({ answer: () => Promise.resolve(undefined) }))?.()).toBeUndefined();
});
