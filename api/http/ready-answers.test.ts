import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { toWire } from '#projections/wire.ts';

import { openLogger } from '../infrastructure/logger.ts';
import { listening, type Listening } from '../testing/listening.ts';
import { requestNotes } from './access-log.ts';
import { requestDurations } from './metrics.ts';
import { readyFirst } from './ready-answers.ts';

const lines: string[] = [];
const registry = new Registry();
let server: Listening;

beforeAll(async () => {
  const ready = { route: 'GET /scent/:id', headers: ['Content-Type', 'application/json'], body: toWire('{"name":"Élixir","price":"₹10"}') };
  const parts = {
    find: ({ url }: { url?: string | undefined }) => (url?.startsWith('/scent/elixir') ? ready : undefined),
    headers: ['X-Content-Type-Options', 'nosniff'],
    durations: requestDurations(registry),
    note: requestNotes(openLogger('info', { write: (line) => void lines.push(line) })),
  };
  server = await listening(readyFirst(parts, (_, res) => void res.writeHead(404).end('worked on')));
});
beforeEach(() => void (lines.length = 0));
afterAll(() => server.close());

test('what is ready is sent as it is, under the id that the request came with', async () => {
  const answer = await fetch(`${server.url}/scent/elixir`, { headers: { 'X-Request-Id': 'checkout-4711' } });
  expect(await answer.json()).toEqual({ name: 'Élixir', price: '₹10' });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-request-id': 'checkout-4711',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json',
    'content-length': '34',
  });
});

test('it is measured by its route, and is one line in the log without what people typed', async () => {
  await fetch(`${server.url}/scent/elixir?q=for+Meera`);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ method: 'GET', path: '/scent/elixir', status: 200, msg: 'request' }]);
  expect(await registry.metrics()).toMatch(/ruhani_http_request_seconds_count\{route="GET \/scent\/:id",status="2xx"\} [12]/);
});

test('all else is worked on', async () => {
  const answer = await fetch(`${server.url}/scent/none`);
  expect([answer.status, await answer.text(), lines]).toEqual([404, 'worked on', []]);
});
