import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { toWire } from '#projections/wire.ts';

import { openLogger } from '../infrastructure/logger.ts';
import { listening, type Listening } from '../testing/listening.ts';
import { requestNotes } from './access-log.ts';
import { callsUnderWay } from './load-shedding.ts';
import { requestDurations } from './metrics.ts';
import { readyFirst } from './ready-answers.ts';

const lines: string[] = [];
const registry = new Registry();
const AT_ONCE = 2;
const calls = callsUnderWay(AT_ONCE);
/** Who is asked about, in turn; while it is asked who they are the call is under way. */
const asking: ((isKnown: boolean) => void)[] = [];
let server: Listening;

beforeAll(async () => {
  const ready = { route: 'GET /scent/:id', headers: ['Content-Type', 'application/json'], body: toWire('{"name":"Élixir","price":"₹10"}') };
  const parts = {
    find: ({ url }: { url?: string | undefined }) => (url?.startsWith('/scent/elixir') ? ready : undefined),
    findForAsker: ({ url }: { url?: string | undefined }) => {
      if (url === '/mine/broken') return () => Promise.reject(new Error('nobody can be asked'));
      if (url !== '/mine') return undefined;
      return () => new Promise<typeof ready | undefined>((resolve) => asking.push((isKnown) => resolve(isKnown ? ready : undefined)));
    },
    calls,
    headers: ['X-Content-Type-Options', 'nosniff'],
    durations: requestDurations(registry),
    note: requestNotes(openLogger('info', { write: (line) => void lines.push(line) })),
  };
  server = await listening(readyFirst(parts, (_, res) => void res.writeHead(404).end('worked on')));
});
beforeEach(() => void (lines.length = asking.length = 0));
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

const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status;

/** Whether the calls that were let in have left. */
const isIdle = (): boolean => {
  const entered = Array.from({ length: AT_ONCE }, () => calls.enter());
  for (const isIn of entered) if (isIn) calls.leave();
  return entered.every(Boolean);
};

test('who asks is asked first where the answer is theirs: nobody has it worked on, and so has whoever cannot be told', async () => {
  const statuses = [statusOf('/mine'), statusOf('/mine')];
  await expect.poll(() => asking.length).toBe(2);
  asking[0]?.(true);
  asking[1]?.(false);
  expect((await Promise.all(statuses)).toSorted()).toEqual([200, 404]);
  expect(await statusOf('/mine/broken')).toBe(404);
  expect(isIdle()).toBe(true);
});

test('one too many is left to who turns calls away', async () => {
  const underWay = [statusOf('/mine'), statusOf('/mine')];
  await expect.poll(() => asking.length).toBe(AT_ONCE);
  expect(await statusOf('/mine')).toBe(404);
  expect(await statusOf('/scent/elixir')).toBe(200);
  for (const tell of asking) tell(true);
  expect(await Promise.all(underWay)).toEqual([200, 200]);
  expect(isIdle()).toBe(true);
});
