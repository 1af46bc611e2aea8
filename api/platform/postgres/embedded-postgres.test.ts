import { chown, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';

import { CannotStart } from '../cannot-start.ts';
import { openEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

/** The tests are about starting and stopping, so they need no durable disk. */
const settings = { fsync: 'off' };

const home = await mkdtemp(path.join(tmpdir(), 'ruhani-postgres-'));
const dataDir = path.join(home, 'data');
afterAll(() => rm(home, { recursive: true, force: true }));

const lockFile = (directory = dataDir) => path.join(directory, 'postgres/postmaster.pid');
const pidOf = async (directory = dataDir) => Number((await readFile(lockFile(directory), 'utf8')).split('\n')[0]);
const isRunning = (directory = dataDir) =>
  stat(lockFile(directory)).then(
    () => true,
    () => false,
  );

const query = async <Row extends pg.QueryResultRow>({ url }: EmbeddedPostgres, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};

/** A copy made by root belongs to root, but Postgres must own its files. */
const giveTo = async (directory: string, uid: number): Promise<void> => {
  const files = await readdir(directory, { recursive: true });
  await Promise.all([directory, ...files.map((file) => path.join(directory, file))].map((file) => chown(file, uid, uid)));
};

const kill = (pid: number): void => void process.kill(pid, 'SIGKILL');

describe('the embedded Postgres', () => {
  test('is made on first use, listens on this machine only, and has a password in a file that only its owner can read', async () => {
    const postgres = await openEmbeddedPostgres({ dataDir, settings });
    await query(postgres, 'create table orders (number text)');
    expect(await query(postgres, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect((await stat(path.join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(dataDir, 'postgres-application-password'))).mode & 0o777).toBe(0o600);
    const application = { ...postgres, url: postgres.applicationUrl };
    expect(await query(application, 'select session_user::text as name')).toEqual([{ name: 'ruhani_application' }]);
    await expect(query(application, 'select * from orders')).rejects.toMatchObject({ code: '42501' });
    const stranger = postgres.url.replace(/:[^:@]+@/, ':guess@');
    await expect(query({ ...postgres, url: stranger }, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await postgres.close();
    expect(await isRunning()).toBe(false);
  });

  test('is the same server for all processes that open it, and stops with the last of them', async () => {
    const shop = await openEmbeddedPostgres({ dataDir, settings });
    const command = await openEmbeddedPostgres({ dataDir, settings });
    expect(command.url).toBe(shop.url);
    await shop.close();
    expect(await query(command, 'select count(*)::integer as count from orders')).toEqual([{ count: 0 }]);
    await command.close();
    expect(await isRunning()).toBe(false);
  });

  test('is one server when several processes start at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => openEmbeddedPostgres({ dataDir, settings })));
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    await Promise.all(all.map((each) => each.close()));
    expect(await isRunning()).toBe(false);
  });

  test('starts after it was killed, with everything that was committed', async () => {
    const told: string[] = [];
    const postgres = await openEmbeddedPostgres({ dataDir, settings, onTrouble: (message) => told.push(message) });
    await query(postgres, `insert into orders values ('RH-2345ABCD')`);
    const before = await pidOf();
    kill(before);
    await expect.poll(() => query(postgres, 'select number from orders').catch(() => [])).toEqual([{ number: 'RH-2345ABCD' }]);
    expect(await pidOf()).not.toBe(before);
    expect(told).toEqual(['The embedded Postgres is gone: starting it again']);
    await postgres.close();
  });

  test('keeps trying to start until it can', async () => {
    const told: string[] = [];
    const postgres = await openEmbeddedPostgres({ dataDir, settings, onTrouble: (message) => told.push(message) });
    const control = path.join(dataDir, 'postgres/global/pg_control');
    const pid = await pidOf();
    await rename(control, `${control}.away`);
    kill(pid);
    await expect.poll(() => told).toContainEqual(expect.stringContaining('does not start'));
    await rename(`${control}.away`, control);
    await expect.poll(() => query(postgres, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }]);
    await postgres.close();
    expect(await isRunning()).toBe(false);
  });

  test('starts although its lock file names a process that is now another program', async () => {
    // After a power cut, the process id in the lock file may belong to another server.
    const other = new pg.Client({ connectionString: inject('postgresUrl') });
    await other.connect();
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await writeFile(lockFile(), [rows[0]?.pid, path.join(dataDir, 'postgres'), 1, 1, '', '127.0.0.1', '', 'ready', ''].join('\n'));
    const postgres = await openEmbeddedPostgres({ dataDir, settings });
    expect(await query(postgres, 'select count(*)::integer as count from orders')).toEqual([{ count: 1 }]);
    await postgres.close();
    await other.end();
  });

  test('is a separate server in a copied directory', async () => {
    const original = await openEmbeddedPostgres({ dataDir, settings });
    const copied = path.join(home, 'copy');
    await cp(dataDir, copied, { recursive: true, filter: (file) => !file.endsWith('.log') });
    const uid = (await stat(path.join(dataDir, 'postgres'))).uid;
    if (process.getuid?.() === 0) await giveTo(path.join(copied, 'postgres'), uid);
    const copy = await openEmbeddedPostgres({ dataDir: copied, settings });
    expect(copy.url).not.toBe(original.url);
    await Promise.all([copy.close(), original.close()]);
  });

  test('fails with one clear line in a directory that it cannot use', async () => {
    const file = path.join(home, 'a-file');
    await writeFile(file, '');
    const opening = openEmbeddedPostgres({ dataDir: path.join(file, 'data') });
    await expect(opening).rejects.toThrow(CannotStart);
    await expect(opening).rejects.toThrow(/^DATA_DIR .+ cannot be used: part of the path is a file\. Set DATA_DIR to .+\.$/);
  });
});
