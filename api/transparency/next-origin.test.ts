import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { Superseded } from '#projections/follower/failures.ts';
import { verifyReceipt } from '#domain/receipt/receipt.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { backUp } from '../cli/backup/back-up.ts';
import { restore } from '../cli/backup/restore.ts';
import { startEventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { streamCategories } from '../event-store/stored-event.ts';
import { ordering, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { withClient } from '../platform/postgres/postgres-client.ts';
import { copyDatabase } from '../testing/database-per-test.ts';
import { catchUp, isLogInPostgres, openTestShop, type TestShop } from '../testing/test-shop.ts';
import { testKeyring } from '../testing/test-keyring.ts';
import { formatCheckpoint } from './checkpoint.ts';
import { leafOf } from './leaf.ts';
import { parseSignedCheckpoint, readSignedLast, writeSignedLast, type SignedCheckpoint } from './log-key.ts';
import { nodePlatform } from './node-platform.ts';
import { readKeptPolicy } from './receipt-policy.ts';
import { createSigner, formatNote, formatVkey, parseNote, signNote } from './signed-note.ts';
import { readReceiptPolicy, SignedLog } from './signed-log.ts';
import { viewSignatures } from './signed-status.ts';
import { checkReceipt, publicLogAt, rootOf } from './testing/log-reader-over-http.ts';
import { policyOf, startWitness } from './testing/running-witness.ts';
import { treeReading } from './tree-rows.ts';
import type { WitnessPolicy } from './witness-policy.ts';

const home = await mkdtemp(path.join(tmpdir(), 'ruhani-log-'));
afterAll(() => rm(home, { recursive: true, force: true }));

const logOf = (shop: TestShop, under = '') => publicLogAt(`${shop.url}/log${under}`);
const readLog = (shop: TestShop) => shop.store.storedPage(START, 10_000, streamCategories);

const publishedSize = async (shop: TestShop, under = ''): Promise<number> =>
  (await logOf(shop, under).statusOf('checkpoint')) === 200 ? (await logOf(shop, under).readCheckpoint()).size : 0;

/** Waits until all of the log is published below `/log` or `/log/2`, whose tree has `more` entries that are no events. */
const signed = async (shop: TestShop, under = '', more = 0): Promise<SignedCheckpoint> => {
  const expected = (await readLog(shop)).length + more;
  await expect.poll(() => publishedSize(shop, under)).toBe(expected);
  return logOf(shop, under).readCheckpoint();
};

type Opening = { databaseUrl?: string; dataDir?: string; witnessPolicy?: WitnessPolicy };

const open = async ({ databaseUrl, dataDir, witnessPolicy }: Opening = {}): Promise<TestShop> => {
  const people = dataDir === undefined ? {} : { people: { dataDir } };
  const shop = await openTestShop({ databaseUrl, projecting: true, ...people, ...(witnessPolicy && { witnessPolicy }) });
  if (databaseUrl === undefined) await change([shop], oudSaffronMajlis, add());
  return shop;
};

/** Changes the database of a shop that is closed. */
const onDatabase = async ({ databaseUrl }: Pick<TestShop, 'databaseUrl'>, statement: string): Promise<void> => {
  await withClient({ connectionString: databaseUrl, application_name: 'test' }, (client) => client.query(statement));
};

const receiptAt = async (at: OrderingBrowser, id: string): Promise<string> => {
  const ask = () => at.get(`/api/order/${id}/receipt`);
  await expect.poll(async () => (await ask()).status).toBe(200);
  return String((await ask()).body);
};

/** A checkpoint of a tree without a root, signed with the key of this seed. */
const noteOf = (origin: string, size: number, seed = 1): string => {
  const text = formatCheckpoint({ origin, size, root: Buffer.alloc(32) });
  return formatNote(text, [signNote(text, createSigner(origin, Buffer.alloc(32, seed)))]);
};

/** What must hold when a log does not continue what was signed last: `old` is that, and the order was placed afterwards. */
const expectNextOrigin = async (shop: TestShop, old: SignedCheckpoint): Promise<void> => {
  const next = await signed(shop, '/2', 1);
  expect(next.origin).toBe(`${old.origin}/2`);
  const [first, ...entries] = await logOf(shop, '/2').readEntries(next.size);
  expect(String(first)).toBe(old.note);
  expect(entries.map(String)).toEqual((await readLog(shop)).map(leafOf));
  expect(rootOf([first ?? Buffer.alloc(0), ...entries])).toEqual(next.root);
  expect((await logOf(shop).read('checkpoint')).toString()).toBe(old.note);
  expect((await logOf(shop).readVkeys()).map((vkey) => vkey.split('+')[0])).toEqual([next.origin, old.origin]);
  expect(await logOf(shop).statusOf('tile/0/000.p/1')).toBe(404);
  // It is written before witnesses sign.
  expect(next.note).toContain(await readFile(path.join(shop.dataDir, 'log-checkpoint'), 'utf8'));
};

/** Closes a shop whose log is signed, after its witness has read the key. `away` is the policy for as long as that does not answer. */
const signWithWitness = async () => {
  const first = await open();
  await ordering(first).buy();
  await signed(first);
  const witness = await startWitness(`${first.url}/log`);
  await first.close();
  const away = policyOf(0, witness.named.replace(/http\S+/, 'http://127.0.0.1:1'));
  return { first, witness, witnessPolicy: policyOf(0, witness.named), away };
};

describe.skipIf(!isLogInPostgres)('a log that does not continue what was signed last', () => {
  test('an older database beside the same DATA_DIR: it is signed under /log/2, and old receipts stay valid', async () => {
    const shop = await open();
    await ordering(shop).buy();
    await signed(shop);
    await shop.close();
    const older = await copyDatabase(shop.databaseUrl);
    const again = await open(shop);
    const at = ordering(again);
    const { _id: id } = await at.buy();
    const receipt = await receiptAt(at, id);
    const old = await signed(again);
    await again.close();

    const restored = await open({ databaseUrl: older, dataDir: shop.dataDir });
    await expectNextOrigin(restored, old);
    checkReceipt(receipt, await logOf(restored).readVkeys());
    const buyer = ordering(restored);
    const { _id: newId } = await buyer.buy();
    const newReceipt = await receiptAt(buyer, newId);
    expect(newReceipt).toContain(`\n${old.origin}/2\n`);
    checkReceipt(newReceipt, await logOf(restored).readVkeys());
    // Under the new origin the log goes on over restarts, and after it has become longer than the old one.
    await restored.close();
    const later = await open({ databaseUrl: older, dataDir: shop.dataDir });
    for (let order = 0; order < 3; order++) await ordering(later).buy();
    await expectNextOrigin(later, old);
    await later.close();
  });

  test('an older database than its witnesses are: what they signed is verified by the rule of then', async () => {
    const shop = await open();
    const [one, two] = [await startWitness(`${shop.url}/log`), await startWitness(`${shop.url}/log`)];
    await shop.close();
    const witnessed = await open({ ...shop, witnessPolicy: policyOf(1, one.named) });
    await ordering(witnessed).buy();
    await signed(witnessed);
    await witnessed.close();
    const older = await copyDatabase(shop.databaseUrl);
    const again = await open({ ...shop, witnessPolicy: policyOf(1, two.named) });
    const at = ordering(again);
    const receipt = await receiptAt(at, (await at.buy())._id);
    await signed(again);
    await again.close();

    const restored = await open({ databaseUrl: older, dataDir: shop.dataDir, witnessPolicy: policyOf(1, two.named) });
    await signed(restored, '/2', 1);
    const policy = await readReceiptPolicy(restored.db);
    expect(verifyReceipt(Buffer.from(receipt), policy, nodePlatform)).toMatchObject({ proved: true, witnesses: [{}] });
    expect(await readKeptPolicy(shop.dataDir)).toEqual(policy);
    await restored.close();
    await Promise.all([one.stop(), two.stop()]);
  });

  test.each([
    ['keeps its signature', false],
    ['and what it did not sign while it was away is not published', true],
  ])('an older database, where a witness has to sign: what was published last %s', async (_, isAway) => {
    const { first, witness } = await signWithWitness();
    const witnessPolicy = policyOf(1, witness.named);
    const older = { databaseUrl: await copyDatabase(first.databaseUrl), dataDir: first.dataDir };
    const shop = await open({ ...first, witnessPolicy });
    await ordering(shop).buy();
    const old = await signed(shop);
    expect(parseNote(old.note).signatures).toHaveLength(2);
    await shop.close();
    if (isAway) {
      const alone = await open({ ...first, witnessPolicy: policyOf(1, witness.named.replace(/http\S+/, 'http://127.0.0.1:1')) });
      await ordering(alone).buy();
      await expect.poll(async () => (await readSignedLast(first.dataDir))?.size).toBeGreaterThan(old.size);
      await alone.close();
    }
    const restored = await open({ ...older, witnessPolicy });
    await expectNextOrigin(restored, old);
    await restored.close();
    await witness.stop();
  });

  test('a backup that was restored over a shop that went on, whose read models are ahead', async () => {
    const shop = await open();
    const before = ordering(shop);
    await before.buy();
    await signed(shop);
    const directories = { log: path.join(home, 'monday'), keys: path.join(home, 'monday-keys') };
    await backUp(shop.databaseUrl, directories);
    const at = ordering(shop);
    const { _id: id } = await at.buy();
    const receipt = await receiptAt(at, id);
    const old = await signed(shop);
    await shop.close();
    await restore(shop.databaseUrl, directories, { replace: true, knownKeys: new Set([testKeyring.current().id]) });
    const restored = await open(shop);
    // It becomes longer than what was signed before anybody compares.
    for (let order = 0; order < 3; order++) await ordering(restored).buy();
    await expectNextOrigin(restored, old);
    checkReceipt(receipt, await logOf(restored).readVkeys());
    await restored.close();
  });

  test.each([
    ['an older database', 'select'],
    ['a database that knows nothing', 'delete from shop.log_checkpoints'],
  ])('%s and a DATA_DIR that lost its memory: witnesses remember, and nothing is signed before they answer', async (_, forget) => {
    const { first, witness, witnessPolicy, away } = await signWithWitness();
    const older = await copyDatabase(first.databaseUrl);
    await onDatabase({ databaseUrl: older }, forget);
    const shop = await open({ ...first, witnessPolicy });
    const at = ordering(shop);
    const { _id: id } = await at.buy();
    const receipt = await receiptAt(at, id);
    const old = await signed(shop);
    await shop.close();

    const memory = path.join(shop.dataDir, 'log-checkpoint');
    await rm(memory);
    await rm(path.join(shop.dataDir, 'log-published'));
    const waiting = await open({ databaseUrl: older, dataDir: shop.dataDir, witnessPolicy: away });
    const size = await publishedSize(waiting);
    for (let order = 0; order < 4; order++) await ordering(waiting).buy();
    await catchUp(waiting);
    await setTimeout(1_500);
    expect(await publishedSize(waiting)).toBe(size);
    await expect(readFile(memory)).rejects.toThrow('ENOENT');
    // The tree stands still, and yet it is known since when nothing is signed.
    expect(await viewSignatures({ ...waiting, trees: treeReading(waiting.read.pool) }, away)).toMatchObject({
      size,
      unsignedSince: expect.any(Date),
    });
    await waiting.close();

    const restored = await open({ databaseUrl: older, dataDir: shop.dataDir, witnessPolicy });
    // What the witness added to its note is left out.
    await expectNextOrigin(restored, { ...old, note: old.note.replace(/\u2014 witness.*\n/, '') });
    // The witness believes the key of the first origin, and signs the next.
    expect(parseNote((await logOf(restored, '/2').readCheckpoint()).note).signatures).toHaveLength(2);
    checkReceipt(receipt, await logOf(restored).readVkeys());
    await restored.close();
    await witness.stop();
  });

  test.each([
    ['before anything else is signed', false],
    ['although the witness was away while another history was signed', true],
  ])('an older database and an older DATA_DIR, as of a whole machine: a witness remembers, %s', async (_, wasAway) => {
    const { first, witness, witnessPolicy, away } = await signWithWitness();
    const older = { databaseUrl: await copyDatabase(first.databaseUrl), dataDir: first.dataDir };
    const memory = ['log-checkpoint', 'log-published'].map((name) => path.join(first.dataDir, name));
    const remembered = await Promise.all(memory.map((file) => readFile(file)));
    const shop = await open({ ...first, witnessPolicy });
    await ordering(shop).buy();
    let old = await signed(shop);
    await shop.close();

    for (const [order, file] of memory.entries()) await writeFile(file, remembered[order] ?? '');
    if (wasAway) {
      const alone = await open({ ...older, witnessPolicy: away });
      for (let order = 0; order < 3; order++) await ordering(alone).buy();
      old = await signed(alone);
      await alone.close();
    }
    const restored = await open({ ...older, witnessPolicy });
    await expectNextOrigin(restored, { ...old, note: old.note.replace(/\u2014 witness.*\n/, '') });
    expect(parseNote((await logOf(restored, '/2').readCheckpoint()).note).signatures).toHaveLength(2);
    await restored.close();
    await witness.stop();
  });

  test('the memory of DATA_DIR is never replaced by a process that did not know it', async () => {
    const shop = await open();
    const { note, origin, size } = await signed(shop);
    const seed = Buffer.from(await readFile(path.join(shop.dataDir, 'log-key'), 'utf8'), 'base64');
    const text = formatCheckpoint({ origin, size, root: Buffer.alloc(32, 1) });
    // Another process, on another database, signs in the same DATA_DIR.
    await writeFile(path.join(shop.dataDir, 'log-checkpoint'), formatNote(text, [signNote(text, createSigner(origin, seed))]));
    await ordering(shop).buy();
    await signed(shop, '/2', 1);
    expect(await logOf(shop).readCheckpoint()).toMatchObject({ note });
    await shop.close();
  });

  test('a backup that is restored three times: the keys of all origins stay known', async () => {
    const shop = await open();
    await signed(shop);
    await shop.close();
    const older = await copyDatabase(shop.databaseUrl);
    let opened = await open(shop);
    for (const [before, under] of ['', '/2', '/3', '/4'].entries()) {
      await ordering(opened).buy();
      await signed(opened, under, under === '' ? 0 : 1);
      const vkeys = await logOf(opened).readVkeys();
      expect(vkeys.map((vkey) => vkey.split('+')[0])).toEqual(
        ['localhost/log/4', 'localhost/log/3', 'localhost/log/2', 'localhost/log'].slice(3 - before),
      );
      expect(JSON.parse(await readFile(path.join(shop.dataDir, 'log-policy'), 'utf8'))).toMatchObject({ logs: vkeys });
      await opened.close();
      opened = await open({ databaseUrl: await copyDatabase(older), dataDir: shop.dataDir });
    }
    await opened.close();
  });

  test('the log of another shop, which is longer and was signed with another key', async () => {
    const shop = await open();
    const old = await signed(shop);
    await shop.close();
    const other = await open();
    await ordering(other).buy();
    await signed(other);
    await other.close();
    const replaced = await open({ databaseUrl: other.databaseUrl, dataDir: shop.dataDir });
    await expectNextOrigin(replaced, old);
    await replaced.close();
  });

  test('an event that was changed in the database, once the tree is built anew', async () => {
    const shop = await open();
    await ordering(shop).buy();
    const old = await signed(shop);
    await shop.close();
    await onDatabase(shop, `update log.events set metadata = replace(metadata::text, '"hash":"', '"hash":"0')::json where position = 1`);
    await onDatabase(shop, 'drop schema read cascade');
    const changed = await open(shop);
    await expectNextOrigin(changed, old);
    await changed.close();
  });

  test('a log that goes on stays under its origin, though PUBLIC_URL changes and its tree is lost', async () => {
    const shop = await open();
    await ordering(shop).buy();
    const before = await signed(shop);
    await shop.close();
    await onDatabase(shop, 'drop schema read cascade');
    const moved = await openTestShop({ databaseUrl: shop.databaseUrl, projecting: true, publicUrl: 'https://elsewhere.example' });
    await ordering(moved).buy();
    const after = await signed(moved);
    expect(after.origin).toBe(before.origin);
    expect(after.size).toBeGreaterThan(before.size);
    await moved.close();
  });
});

test.each([
  `update read.log_tiles set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0))`,
  `update read.log_tiles set hashes = substring(hashes for 64)`,
  `delete from read.log_tiles`,
])('a damaged tree is built anew, and the log stays under its origin: %s', async (damage) => {
  const shop = await open();
  await ordering(shop).buy();
  const before = await signed(shop);
  await shop.close();
  await onDatabase(shop, damage);
  const again = await open(shop);
  await ordering(again).buy();
  const after = await signed(again);
  expect(after.origin).toBe(before.origin);
  expect(rootOf(await logOf(again).readEntries(after.size))).toEqual(after.root);
  await again.close();
});

describe('the key that signed last', () => {
  test('without it the shop does not start, nor with another one; once it is given up, the next origin begins', async () => {
    const shop = await open();
    const old = await signed(shop);
    await shop.close();
    const file = (name: string) => path.join(shop.dataDir, name);
    await cp(file('log-key'), file('safe'));
    await rm(file('log-key'));
    await expect(open(shop)).rejects.toThrow(/put the file log-key back into .*, or set LOG_SIGNING_KEY/);
    await writeFile(file('log-key'), Buffer.alloc(32, 7).toString('base64'));
    await expect(open(shop)).rejects.toThrow(/The key of log-key in DATA_DIR is not the one that signed log-checkpoint/);
    await writeFile(file('log-key'), 'no key');
    await expect(open(shop)).rejects.toThrow(/log-key in DATA_DIR does not hold a key of 32 bytes as base64/);
    await writeFile(file('log-checkpoint'), 'no checkpoint');
    await expect(open(shop)).rejects.toThrow(
      /log-checkpoint, which has what the log signed last, cannot be used \(it is no signed checkpoint\)/,
    );

    await rm(file('log-checkpoint'));
    await rm(file('log-key'));
    const anew = await open(shop);
    await expectNextOrigin(anew, old);
    await anew.close();
  });

  test('a lost key that is put back after another one signed begins a third origin, and all receipts stay valid', async () => {
    const shop = await open();
    const receiptOfOrder = async (at: OrderingBrowser) => receiptAt(at, (await at.buy())._id);
    const first = await receiptOfOrder(ordering(shop));
    await signed(shop);
    await shop.close();
    const older = await copyDatabase(shop.databaseUrl);
    const file = (name: string) => path.join(shop.dataDir, name);
    const safe = await mkdtemp(path.join(home, 'lost-'));
    for (const name of ['log-key', 'log-checkpoint']) {
      await cp(file(name), path.join(safe, name));
      await rm(file(name));
    }
    const anew = await open(shop);
    const second = await receiptOfOrder(ordering(anew));
    const { note } = await signed(anew, '/2', 1);
    await anew.close();

    await cp(safe, shop.dataDir, { recursive: true });
    const back = await open(shop);
    const third = await receiptOfOrder(ordering(back));
    await signed(back, '/3', 1);
    expect((await logOf(back, '/2').read('checkpoint')).toString()).toBe(note);
    const vkeys = await logOf(back).readVkeys();
    expect(vkeys).toHaveLength(3);
    for (const receipt of [first, second, third]) checkReceipt(receipt, vkeys);
    await back.close();

    // An older backup knows neither key nor rule of the origins in between, and DATA_DIR does.
    const restored = await open({ databaseUrl: older, dataDir: shop.dataDir });
    await signed(restored, '/4', 1);
    expect((await logOf(restored).readVkeys()).slice(1)).toEqual(vkeys);
    const witness = await startWitness(`${restored.url}/log`);
    await restored.close();
    const witnessed = await open({ databaseUrl: older, dataDir: shop.dataDir, witnessPolicy: policyOf(1, witness.named) });
    await ordering(witnessed).add({ _id: oudSaffronMajlis });
    await signed(witnessed, '/4', 1);
    const policy = await readReceiptPolicy(witnessed.db);
    expect(policy.quorum).toBe(1);
    for (const receipt of [first, second, third]) expect(verifyReceipt(receipt, policy, nodePlatform)).toMatchObject({ proved: true });
    await witnessed.close();
    await witness.stop();
  });

  test('a note of another origin is never written over the newest one', async () => {
    const shop = await openTestShop();
    const seed = Buffer.alloc(32, 1);
    const signer = createSigner('shop.example/log/2', Buffer.alloc(32, 2));
    const newest = { generation: 2, vkey: formatVkey(signer), size: 5, note: noteOf(signer.name, 5, 2) };
    await shop.db.insertInto('log_checkpoints').values(newest).execute();
    const witnesses = { cosign: () => Promise.reject(new Error('Nothing is signed')), recall: async () => [] };
    const log = new SignedLog({
      db: shop.db,
      dataDir: shop.dataDir,
      seed,
      isNewKey: false,
      publicUrl: 'https://shop.example',
      witnesses,
      witnessPolicy: { witnesses: [], quorum: 0 },
    });
    const last = parseSignedCheckpoint(noteOf('shop.example/log', 9));
    expect((await log.beginNext({ generation: 2, last })).generation).toBe(3);
    const rows = shop.db.selectFrom('log_checkpoints').select(['generation', 'vkey', 'note']).orderBy('generation');
    expect(await rows.execute()).toMatchObject([
      { generation: 2, vkey: newest.vkey, note: newest.note },
      { generation: 3, vkey: formatVkey(createSigner('shop.example/log/3', seed)), note: null },
    ]);
    await shop.close();
  });

  test.each([
    ['shop.example/log', 4, 'of a smaller tree'],
    ['shop.example/log', 9, 'of an earlier origin', 'shop.example/log/2'],
  ])('what was signed last is not replaced by a note of %s at %i, %s', async (origin, size, _, kept = origin) => {
    const dataDir = await mkdtemp(path.join(home, 'kept-'));
    await writeSignedLast(dataDir, parseSignedCheckpoint(noteOf(kept, 5)));
    await expect(writeSignedLast(dataDir, parseSignedCheckpoint(noteOf(origin, size)))).rejects.toThrow(Superseded);
    expect(await readSignedLast(dataDir)).toMatchObject({ origin: kept, size: 5 });
    await writeSignedLast(dataDir, parseSignedCheckpoint(noteOf(kept, 6)));
    expect(await readSignedLast(dataDir)).toMatchObject({ origin: kept, size: 6 });
    expect(await readdir(dataDir)).toEqual(['log-checkpoint']);
  });
});

test('on EventStoreDB the tree has the events of the shop alone, and an older log begins the next origin', async () => {
  const server = await startEventStoreDbDouble();
  const openOn = (databaseUrl?: string) => openTestShop({ eventStoreUrl: server.connectionString, databaseUrl, projecting: true });
  const shop = await openOn();
  await change([shop], oudSaffronMajlis, add());
  server.writeAsNeighbour(300);
  await ordering(shop).buy();
  const middle = (await readLog(shop)).at(-1)?.position ?? START;
  const first = await signed(shop);
  expect((await logOf(shop).readEntries(first.size)).map(String)).toEqual((await readLog(shop)).map(leafOf));
  const at = ordering(shop);
  const { _id: id } = await at.buy();
  checkReceipt(await receiptAt(at, id), await logOf(shop).readVkeys());
  const old = await signed(shop);
  await shop.close();
  server.rewind(middle);
  const restored = await openOn(shop.databaseUrl);
  await expectNextOrigin(restored, old);
  await restored.close();
  server.close();
});
