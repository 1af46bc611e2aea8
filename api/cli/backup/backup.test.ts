import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';

import { liveLog } from '../../audit/log/log-source.ts';
import { auditCommand } from '../audit.ts';
import { backupCommand, restoreCommand } from '../backup-commands.ts';
import { projectionsCommand } from '../projections.ts';
import { ordering, sameBrowser, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { seedCatalogue } from '../../catalogue/seed/seed-catalogue.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { testKeyring } from '../../testing/test-keyring.ts';
import { openShopForTest, openTestShop, type TestShop } from '../../testing/test-shop.ts';

let said: string[] = [];
const out = (line: string): void => void said.push(line);
const inHome = (name: string): string => path.join(home, name);

const home = await mkdtemp(path.join(tmpdir(), 'ruhani-backup-'));
afterAll(() => rm(home, { recursive: true, force: true }));
beforeEach(() => {
  said = [];
});

const knownKeys = async () => new Set([testKeyring.current().id]);
const depsOf = (databaseUrl: string) => ({ postgres: async () => databaseUrl, knownKeys, out });
const keysOf = (name: string) => `${name}-keys`;
const backup = (databaseUrl: string, name: string) => backupCommand([inHome(name), '--keys', inHome(keysOf(name))], depsOf(databaseUrl));
const restoreTo = (databaseUrl: string, name: string, ...flags: string[]) =>
  restoreCommand([inHome(name), '--keys', inHome(keysOf(name)), ...flags], depsOf(databaseUrl));
const projections = (args: string, { store, read }: TestShop) => projectionsCommand(args.split(' '), { feed: store, db: read, out });

const openStocked = async (databaseUrl: string): Promise<TestShop> => {
  const shop = await openTestShop({ databaseUrl, projecting: true });
  await seedCatalogue({ execute: shop.execute, streams: shop.store, now: shop.now });
  await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000);
  return shop;
};

const order = async (shop: TestShop): Promise<{ at: OrderingBrowser; id: string }> => {
  const at = ordering(shop);
  return { at, id: (await at.buy())._id };
};

/** Waits until every read model, and this process's catalogue, is at the end of the log. */
const caughtUp = async (shop: TestShop): Promise<void> => {
  const isUp = async () => {
    said = [];
    return (await projections('status', shop)) === 0 && said.every((line) => /; at \d+; lag none;/.test(line));
  };
  await expect.poll(isUp, { timeout: 60_000, interval: 100 }).toBe(true);
  await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000);
};

const heads = (shop: TestShop) => shop.store.head(['product', 'cart', 'order']);

describe('a backup taken while the shop is running', () => {
  let first: TestShop;
  let orders: { at: OrderingBrowser; id: string }[];
  /** The log ended here at each backup. */
  let earlier: bigint;

  beforeAll(async () => {
    first = await openStocked(await freshDatabase());
    orders = [await order(first), await order(first)];
    earlier = await heads(first);
    expect(await backup(first.databaseUrl, 'monday')).toBe(0);
    orders.push(await order(first));
    expect(await backup(first.databaseUrl, 'tuesday')).toBe(0);
  });
  afterAll(() => first.close());

  test('is readable by its owner only', async () => {
    for (const file of await readdir(inHome('monday'))) expect((await stat(path.join(inHome('monday'), file))).mode & 0o077).toBe(0);
  });

  test('is restored into an empty database as the same shop: events, hash chains, sessions and orders', async () => {
    const databaseUrl = await freshDatabase();
    expect(await restoreTo(databaseUrl, 'monday')).toBe(0);
    const shop = await openShopForTest({ databaseUrl, projecting: true });
    await caughtUp(shop);
    expect(await heads(shop)).toBe(earlier);
    const events = (each: TestShop) => each.store.page(START, 1_000, ['product', 'cart', 'order']);
    expect(await events(shop)).toEqual((await events(first)).filter(({ position }) => position <= earlier));
    expect(await auditCommand(['verify-all'], { live: async () => liveLog(shop.store), out, err: out })).toBe(0);
    // The visitor has the old cookies.
    const at = sameBrowser(orders[0]?.at ?? expect.fail(), shop);
    expect((await at.order(orders[0]?.id ?? '')).order).toMatchObject({ _id: orders[0]?.id });
    // Order numbers and events continue after the restored ones.
    await order(shop);
    expect(await heads(shop)).toBeGreaterThan(earlier);
  });

  test('that is older than the read models is detected by them, and a rebuild restarts the halted projectors', async () => {
    const databaseUrl = await freshDatabase();
    expect(await restoreTo(databaseUrl, 'tuesday')).toBe(0);
    const before = await openTestShop({ databaseUrl, projecting: true });
    await caughtUp(before);
    await before.close();

    expect(await restoreTo(databaseUrl, 'monday', '--replace')).toBe(0);
    const shop = await openShopForTest({ databaseUrl, projecting: true });
    expect(await projections('status', shop)).toBe(1);
    expect(said.join('\n')).toMatch(/my-orders v\d+; LOG REWOUND, rebuild it/);
    expect(await projections('rebuild all', shop)).toBe(0);
    expect(await projections('verify', shop)).toBe(0);
    await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000);
    // The projectors of the process that kept running continue without a restart.
    const { at, id } = await order(shop);
    await caughtUp(shop);
    expect((await at.order(id)).status).toBe(200);
    expect(await projections('verify', shop)).toBe(0);
  });

  test('is not restored into a database that has a shop, or on which a shop is running', async () => {
    expect(await restoreTo(first.databaseUrl, 'monday', '--replace')).toBe(1);
    expect(said.pop()).toMatch(/^The shop is running on this database/);
    const databaseUrl = await freshDatabase();
    expect(await restoreTo(databaseUrl, 'monday')).toBe(0);
    expect(await restoreTo(databaseUrl, 'monday')).toBe(1);
    expect(said.pop()).toMatch(/^This database has a shop: use --replace/);
  });

  test('is not restored if one of its files has changed, and nothing is written', async () => {
    expect(await backup(first.databaseUrl, 'broken')).toBe(0);
    await appendFile(path.join(inHome('broken'), 'log.events.copy.gz'), 'x');
    const databaseUrl = await freshDatabase();
    expect(await restoreTo(databaseUrl, 'monday')).toBe(0);
    expect(await restoreTo(databaseUrl, 'broken', '--replace')).toBe(1);
    expect(said.pop()).toMatch(/log\.events\.copy\.gz is missing or was changed/);
    const shop = await openShopForTest({ databaseUrl });
    expect(await heads(shop)).toBe(earlier);
  });
});

test('a backup and a restore on EventStoreDB say where the log is', async () => {
  const databaseUrl = await freshDatabase();
  const deps = { ...depsOf(databaseUrl), isLogElsewhere: true };
  expect(await backupCommand([inHome('elsewhere')], deps)).toBe(0);
  expect(said.join('\n')).not.toMatch(/\d events/);
  expect(said).toContainEqual(expect.stringMatching(/^The events are not in it: .*EVENTSTORE_URL.*before the database$/));
  said = [];
  expect(await restoreCommand([inHome('elsewhere'), '--replace'], deps)).toBe(0);
  expect(said.join('\n')).not.toMatch(/\d events/);
  expect(said).toContainEqual(expect.stringMatching(/^The events were left as they are: .*EVENTSTORE_URL/));
});

test('a backup needs an empty directory, and a restore needs a backup', async () => {
  const deps = { postgres: freshDatabase, knownKeys, out };
  await writeFile(inHome('a-file'), '');
  expect(await backup(await freshDatabase(), '.')).toBe(1);
  expect(said.pop()).toMatch(/is not empty/);
  expect(await restoreTo(await freshDatabase(), 'nothing')).toBe(1);
  expect(said.pop()).toMatch(/has no backup/);
  expect(await backupCommand([], deps)).toBe(1);
  expect(await restoreCommand(['a', 'b'], deps)).toBe(1);
  expect(said.filter((line) => line.startsWith('Usage: npm run '))).toHaveLength(2);
});
