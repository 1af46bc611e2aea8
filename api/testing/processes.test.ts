import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ordering, sameBrowser } from '../orders/testing/ordering.ts';
import { getEnvironment, readCompose } from '../deploy/testing/compose.ts';
import { startEventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { freshDatabase } from './database-per-test.ts';
import { heard, startProcess, type ShopProcess } from './shop-process.ts';

const { services } = await readCompose();
const GIVEN = { LOG_LEVEL: 'warn' };
const SECRETS = { 'session-secret': 'a secret of thirty-two characters', 'admin-password': 'the keys of the atelier' };
const ENTRY_POINT = path.resolve('api/deploy/run-in-container.js');

let dataDir: string;
const children: ChildProcess[] = [];
const eventStore = await startEventStoreDbDouble();

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-processes-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await eventStore.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a service of docker-compose.yml with its command and environment, on addresses of this machine. */
const startService = (name: string, databaseUrl: string, more: Record<string, string> = {}): ShopProcess => {
  const here = {
    HOST: '127.0.0.1',
    PORT: '0',
    OPS_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    EVENTSTORE_URL: eventStore.connectionString,
    // Tests send no mail.
    SMTP_URL: 'smtp://127.0.0.1:1',
    RATE_LIMIT_FACTOR: '1000',
  };
  const service = services[name];
  const started = startProcess({ ...getEnvironment(service, GIVEN, SECRETS), ...here, ...more }, service?.command, ENTRY_POINT);
  children.push(started.child);
  return started;
};

/** Returns the address of the API's own port; shoppers use the proxy's address. */
const addressOf = (api: ShopProcess): Promise<string> => heard(api, /listening on (http:\S+)/);
const opsOf = (process: ShopProcess): Promise<string> => heard(process, /Health and metrics are at (http:\S+)/);

const oudSaffronMajlis = 'oud-saffron-majlis';

describe('two APIs and two workers on one database', () => {
  let apis: readonly ShopProcess[];
  let workers: readonly ShopProcess[];
  let urls: readonly string[];

  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    workers = ['projections-1', 'projections-2'].map((name) => startService(name, databaseUrl));
    apis = ['api-1', 'api-2'].map((name) => startService(name, databaseUrl));
    urls = await Promise.all(apis.map(addressOf));
  });

  const url = (index: number): string => urls[index] ?? '';

  test('share carts and orders: a cart filled at one is ordered at the other, and both show the order', async () => {
    const here = ordering({ url: url(0) });
    expect((await here.add({ _id: oudSaffronMajlis })).status).toBe(200);
    const there = sameBrowser(here, { url: url(1) });
    const created = await there.create();
    expect(created.status).toBe(201);
    const placed = await there.place(created.order._id);
    expect(placed.status).toBe(200);
    expect((await here.order(created.order._id)).order).toEqual(placed.order);
    expect((await here.cart()).cart.items).toEqual([]);
  });

  test('continue when one worker is killed and the other takes over', async () => {
    const [doomed] = workers;
    doomed?.child.kill('SIGKILL');
    expect(await doomed?.exited).toBe(null);
    const at = ordering({ url: url(0) });
    await at.buy();
    const ready = async () => ((await (await fetch(`${url(1)}/readyz`)).json()) as { status: string }).status;
    await expect.poll(ready).toBe('ready');
  });

  test('show health and metrics on their operations port only', async () => {
    const [api] = apis;
    const worker = workers[1];
    if (!api || !worker) throw new Error('They were not started');
    for (const process of [api, worker]) {
      const text = await (await fetch(`${await opsOf(process)}/metrics`)).text();
      for (const figure of [
        'read_model_lag_events{model="stats"} 0',
        'outbox_mails{state="waiting"} ',
        'pool_connections{pool="shop",state="busy"} ',
      ])
        expect(text).toContain(`ruhani_${figure}`);
    }
    const asked = await fetch(`${await opsOf(api)}/metrics`);
    expect(await asked.text()).toMatch(/ruhani_appends_total\{outcome="written"\} [1-9]/);
    expect(await (await fetch(`${await opsOf(api)}/readyz`)).json()).toMatchObject({ status: 'ready', parts: { database: 'ok' } });
    expect((await fetch(`${url(0)}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${url(0)}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  test('finish a request that is under way before its process ends', async () => {
    const { hostname, port } = new URL(url(1));
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    await once(socket, 'connect');
    const body = JSON.stringify({ email: 'reader@example.com' });
    const head = [
      'POST /api/subscriber/subscribe HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\n\r\n`);
    // The server has read the head and waits for the body.
    await expect.poll(() => answer).toContain('100 Continue');
    apis[1]?.child.kill('SIGTERM');
    await expect.poll(() => apis[1]?.said() ?? '').toContain('Closing');
    const closed = once(socket, 'close');
    socket.write(body);
    await closed;
    expect(answer).toMatch(/HTTP\/1\.1 (?!100)\d{3}/);
    expect(answer).not.toContain('HTTP/1.1 50');
    expect(await apis[1]?.exited).toBe(0);
  });
});

/** Returns an empty text for a process that has ended meanwhile. */
const readCommand = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error;
    return '';
  }
};

/** Returns the child processes that Linux knows. */
const childrenOf = (pid = 0): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .map(Number)
    .filter((child) => child > 0 && readCommand(child).includes('main.js'));

test('a cluster answers on one port, is ready when each of its processes is open, even after one was killed, and ends as a whole', async () => {
  const shop = startProcess({
    DATABASE_URL: await freshDatabase(),
    DATA_DIR: dataDir,
    SESSION_SECRET: SECRETS['session-secret'],
    PUBLIC_URL: 'http://localhost',
    WORKERS: '2',
  });
  children.push(shop.child);
  const url = await addressOf(shop);
  /** Uses a new connection, so that any process may answer. */
  const statusOf = async (path: string): Promise<number> => (await fetch(url + path, { headers: { connection: 'close' } })).status;
  /** Requests ten times in a row, once the shop is ready. */
  const answersWhenReady = async (): Promise<readonly number[]> => {
    const answers: number[] = [];
    for (let inARow = 0; inARow < 10;) {
      const isReady = (await statusOf('/readyz')) === 200;
      inARow = isReady ? inARow + 1 : 0;
      if (isReady) for (let asked = 0; asked < 4; asked++) answers.push(await statusOf('/api/product?limit=1'));
    }
    return answers;
  };
  expect(new Set(await answersWhenReady())).toEqual(new Set([200]));
  expect(childrenOf(shop.child.pid)).toHaveLength(3);
  const order = ordering({ url });
  await order.add({ _id: oudSaffronMajlis });

  for (const killed of [childrenOf(shop.child.pid)[0], childrenOf(shop.child.pid).at(-1)]) {
    const restarts = () => shop.said().match(/"process":"(?:The projections|Worker \d)"/g)?.length ?? 0;
    const before = restarts();
    process.kill(killed ?? 0, 'SIGKILL');
    await expect.poll(restarts).toBeGreaterThan(before);
  }
  expect(new Set(await answersWhenReady())).toEqual(new Set([200]));
  expect(childrenOf(shop.child.pid)).toHaveLength(3);
  // The connection that was kept may be that of the killed process.
  await expect.poll(async () => (await order.cart().catch(() => undefined))?.cart.items.length).toBe(1);

  shop.child.kill('SIGTERM');
  expect(await shop.exited, shop.said()).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
