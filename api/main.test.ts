import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts';
import { withClient } from './platform/postgres/postgres-client.ts';
import { freshDatabase } from './testing/database-per-test.ts';
import { opened, startProcess, type ShopProcess } from './testing/shop-process.ts';

let home: string;
let dataDir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'ruhani-main-'));
  dataDir = path.join(home, 'data');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  // A killed shop has left its Postgres running, and the last process that opens it stops it.
  await (await openEmbeddedPostgres({ dataDir })).close();
  await rm(home, { recursive: true, force: true });
});

/** Starts the shop in a separate process, on the data of this file. */
const start = (env: Record<string, string> = {}, parts: readonly string[] = []): ShopProcess => {
  const started = startProcess({ DATA_DIR: dataDir, ...env }, parts);
  children.push(started.child);
  return started;
};

const products = async (url: string): Promise<{ _id: string }[]> => (await (await fetch(`${url}/api/product`)).json()) as { _id: string }[];

/** Returns the message of a shop that cannot start: one line, with exit code 1. */
const refusal = async (env: Record<string, string>, parts?: readonly string[]): Promise<string> => {
  const started = start(env, parts);
  expect(await started.exited).toBe(1);
  const lines = started.said().trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
};

describe('the shop as a process', () => {
  test('opens with its catalogue, prints the addresses, loses nothing by kill -9, and closes on a signal', async () => {
    const killed = start();
    const before = await products(await opened(killed));
    expect(before).toHaveLength(30);
    killed.child.kill('SIGKILL');
    await killed.exited;

    const shop = start();
    const url = await opened(shop);
    expect(shop.said()).not.toContain('Added');
    expect(await products(url)).toEqual(before);
    const password = (await readFile(path.join(dataDir, 'admin-password'), 'utf8')).trim();
    expect((await stat(path.join(dataDir, 'admin-password'))).mode & 0o777).toBe(0o600);
    for (const told of [`${url}/api`, 'admin@ruhani.example', password, dataDir, 'Postgres 18']) expect(shop.said()).toContain(told);

    shop.child.kill('SIGTERM');
    expect(await shop.exited).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await expect(access(path.join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  /** Ends a shop whose output nobody has read: the lines about 800 requests are more than the pipe and the buffers on its sides hold. */
  const endUnread = async (): Promise<ShopProcess> => {
    const shop = start({ SEED: 'none', LOG_LEVEL: 'info' });
    const url = await opened(shop);
    shop.child.stdout?.pause();
    for (let request = 0; request < 800; request += 50)
      await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/api/product?limit=1`)).arrayBuffer()));
    shop.child.kill('SIGTERM');
    return shop;
  };

  test('has logged every request when it ends, even if its output was not read meanwhile', async () => {
    const shop = await endUnread();
    shop.child.stdout?.resume();
    await once(shop.child, 'close');
    const lines = shop
      .said()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((said) => said === 'request')).toHaveLength(800);
    expect(shop.child.exitCode).toBe(0);
  });

  test('ends even if its log is never read', async () => {
    expect(await (await endUnread()).exited).toBe(0);
  });
});

const IS_WAITING = `datname = current_database() and wait_event_type = 'Lock'`;

type Waiting = { readonly shop: ShopProcess; readonly operator: pg.Client; readonly goOn: () => Promise<unknown> };

/** Runs `work` on a shop whose start waits for another session of its database. */
const whileStartWaits = async (work: (waiting: Waiting) => Promise<void>): Promise<void> => {
  const databaseUrl = await freshDatabase();
  const session = { connectionString: databaseUrl, application_name: 'test' };
  await withClient(session, (other) =>
    withClient(session, async (operator) => {
      await other.query('begin; lock table shop.kysely_migration');
      const shop = start({ DATABASE_URL: databaseUrl });
      await expect.poll(async () => (await operator.query(`select from pg_stat_activity where ${IS_WAITING}`)).rowCount).toBe(1);
      await work({ shop, operator, goOn: () => other.query('rollback') });
    }),
  );
};

test('a start that waits ends on a signal', async () => {
  await whileStartWaits(async ({ shop }) => {
    shop.child.kill('SIGINT');
    expect(await shop.exited).toBe(0);
  });
});

test('a start that loses its connection to Postgres is tried again', async () => {
  await whileStartWaits(async ({ shop, operator, goOn }) => {
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${IS_WAITING}`);
    await goOn();
    await opened(shop);
    expect(shop.said()).toContain('Postgres was lost while the shop was starting: trying again');
  });
});

describe.concurrent('a start that fails prints one line and exits with 1', () => {
  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await refusal({ PORT: String(port) })).toMatch(`Port ${port} on 127.0.0.1 is taken`);
    other.close();
  });

  test('a data directory that cannot be written', async () => {
    const file = path.join(home, 'a-file');
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: path.join(file, 'data') })).toMatch(/^DATA_DIR .+ cannot be used/);
  });

  test('an operations port that is the port of the shop', async () =>
    expect(await refusal({ PORT: '7301', OPS_PORT: '7300', WORKERS: '2' })).toMatch(/^OPS_PORT stands for 7300 to 7302, .+ PORT is 7301/));

  test('a missing database', async () =>
    expect(await refusal({ DATABASE_URL: 'postgres://ruhani:secret@127.0.0.1:1/ruhani' })).toMatch(
      /^The Postgres of DATABASE_URL cannot be used \(ECONNREFUSED\)/,
    ));

  test('a database that accepts connections and does not answer', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    expect(await refusal({ DATABASE_URL: `postgres://ruhani:secret@127.0.0.1:${port}/ruhani`, LOG_LEVEL: 'silent' })).toMatch(
      /^Postgres was lost while the shop was starting: see that it runs/,
    );
    mute.close();
  });

  test('a missing EventStoreDB', async () =>
    expect(await refusal({ EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' })).toMatch(
      /^The EventStoreDB of EVENTSTORE_URL cannot be used \(it does not answer\)/,
    ));

  test('an unknown part', async () => expect(await refusal({}, ['everything'])).toMatch(/^There is no part everything to start/));
});
