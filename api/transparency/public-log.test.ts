import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change, toProduct } from '../cart/testing/shopping.ts';
import { projectionsCommand } from '../cli/projections.ts';
import { treeCommands } from '../cli/tree-commands.ts';
import { streamCategories } from '../event-store/stored-event.ts';
import { ordering } from '../orders/testing/ordering.ts';
import { openShopForFile, openShopForTest, type TestShop } from '../testing/test-shop.ts';
import { leafOf } from './leaf.ts';
import { hashLeaf } from './merkle-tree.ts';
import { publicLogAt, rootOf } from './testing/log-reader-over-http.ts';

const shop = await openShopForFile({ projecting: true });
const log = publicLogAt(`${shop.url}/log`);
await change([shop], oudSaffronMajlis, add());
const at = ordering(shop);

/** Waits until everything that is in the log now is published. */
const published = async () => {
  const events = await shop.store.storedPage(START, 10_000, streamCategories);
  await expect
    .poll(async () => (await fetch(`${shop.url}/log/checkpoint`)).status === 200 && (await log.readCheckpoint()).size)
    .toBe(events.length);
  return { events, checkpoint: await log.readCheckpoint() };
};

test('the published tree has all events in the order of the log, as leaves without content or names', async () => {
  await at.buy();
  const { events, checkpoint } = await published();
  const entries = await log.readEntries(checkpoint.size);
  expect(entries.map(String)).toEqual(events.map(leafOf));
  expect(rootOf(entries)).toEqual(checkpoint.root);
  expect(String(entries[0])).toMatch(/^ruhani-event\/1\n[0-9a-f]{64}\n0\n[0-9a-f]{64}\n$/);
  expect(await log.read(`tile/0/000.p/${checkpoint.size}`)).toEqual(Buffer.concat(entries.map(hashLeaf)));
});

test('the key is kept for its owner, and its public part is published under the origin', async () => {
  const file = path.join(shop.dataDir, 'log-key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toHaveLength(32);
  const { checkpoint } = await published();
  expect(checkpoint.origin).toBe('localhost/log');
  expect((await log.readVkeys()).map((vkey) => vkey.split('+')[0])).toEqual(['localhost/log']);
  expect(await readFile(path.join(shop.dataDir, 'log-checkpoint'), 'utf8')).toBe(checkpoint.note);
});

test.each([
  ['checkpoint', 'text/plain; charset=utf-8', 'public, max-age=1'],
  ['key', 'text/plain; charset=utf-8', 'public, max-age=1'],
  ['tile/0/000.p/1', 'application/octet-stream', 'public, max-age=31536000, immutable'],
  ['tile/entries/000.p/1', 'application/octet-stream', 'public, max-age=31536000, immutable'],
])('%s is for everybody and for caches', async (name, type, caching) => {
  await published();
  const answer = await fetch(`${shop.url}/log/${name}`);
  const { headers } = answer;
  expect(answer.status).toBe(200);
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('cache-control')).toBe(caching);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('set-cookie')).toBeNull();
  const etag = headers.get('etag') ?? '';
  expect((await fetch(`${shop.url}/log/${name}`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const head = await fetch(`${shop.url}/log/${name}`, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
});

test('what is not in the published tree is not there', async () => {
  const { checkpoint } = await published();
  const missing = [
    `tile/0/000.p/${checkpoint.size + 1}`,
    'tile/0/000',
    'tile/0/001.p/1',
    'tile/1/000.p/1',
    'tile/entries/000',
    'tile/0/000.p/0',
    'tile/0/0',
    'tile/64/000',
    'tile/00/000.p/1',
    'tile/',
    'nothing',
  ];
  for (const name of missing) expect(`${name} ${await log.statusOf(name)}`).toBe(`${name} 404`);
  expect((await fetch(`${shop.url}/log/2/checkpoint`)).status).toBe(404);
  expect((await fetch(`${shop.url}/log/checkpoint`, { method: 'POST' })).status).not.toBe(200);
});

const projections = (of: Pick<TestShop, 'store' | 'read' | 'db'>) => {
  const said: string[] = [];
  const run = (args: string) =>
    projectionsCommand(args.split(' '), { feed: of.store, db: of.read, tree: treeCommands(of), out: (line) => said.push(line) });
  return { run, said };
};

test('npm run projections shows, verifies and rebuilds the tree, which stays what it was', async () => {
  const { events, checkpoint } = await published();
  const { run, said } = projections(shop);
  const tile = await log.read(`tile/0/000.p/${events.length}`);
  expect(await run('status')).toBe(0);
  expect(said.at(-1)).toMatch(
    new RegExp(`^log-tree; at \\d+; lag none; ${events.length} of ${events.length} events signed as localhost/log; applied by `),
  );
  expect(await run('rebuild log-tree')).toBe(0);
  expect(said.at(-1)).toMatch(new RegExp(`^log-tree: rebuilt with ${events.length} events in [\\d.]+ s, now live$`));
  expect(await log.read(`tile/0/000.p/${events.length}`)).toEqual(tile);
  expect(await log.readCheckpoint()).toEqual(checkpoint);
  expect(await run('verify log-tree')).toBe(0);
  expect(said.at(-1)).toMatch(/^log-tree: matches the log/);
  // The process that follows the log goes on after the rebuilds.
  await at.buy();
  await published();
});

test('npm run projections names the tiles of a damaged tree', async () => {
  const alone = await openShopForTest();
  await toProduct(alone, oudSaffronMajlis, add());
  const { run, said } = projections(alone);
  expect(await run('status')).toBe(0);
  expect(said.at(-1)).toMatch(/^log-tree; not built yet; lag [1-9]\d* events, [\d.]+ s; nothing signed yet; no process active$/);
  expect(await run('rebuild log-tree')).toBe(0);
  await alone.read.pool.query(`update read.log_tiles set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0))`);
  expect(await run('verify log-tree')).toBe(1);
  expect(said.slice(-2)).toEqual(['  tile 0/0: differs from the log', expect.stringMatching(/^log-tree: 1 tiles differ/)]);
});
