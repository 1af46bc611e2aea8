import { hash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { verifyReceipt } from '#domain/receipt/receipt.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { witnessUrl } from '../cli/witness-command.ts';
import { readConfig } from '../config.ts';
import { ordering, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { browser } from '../accounts/testing/browser.ts';
import { listening } from '../testing/listening.ts';
import { openShopForTest } from '../testing/test-shop.ts';
import { formatCheckpoint } from './checkpoint.ts';
import { EMPTY_ROOT, hashLeaf, proveConsistency, computeRoot } from './merkle-tree.ts';
import { createSigner, formatNote, formatVkey, parseNote, parseVkey, signNote, verifyNote, type NoteSigner } from './signed-note.ts';
import { publicLogAt } from './testing/log-reader-over-http.ts';
import { policyOf, startWitness } from './testing/running-witness.ts';
import { appendEntries, EMPTY_TREE, nodesFromTiles } from './tiles.ts';
import { nodePlatform } from './node-platform.ts';
import { readReceiptPolicy } from './signed-log.ts';
import { LogWitness, NOTHING_SIGNED } from './witness.ts';
import { parseWitnesses } from './witness-policy.ts';
import { createWitnesses } from './witnesses.ts';

const home = await mkdtemp(path.join(tmpdir(), 'ruhani-witness-'));
afterAll(() => rm(home, { recursive: true, force: true }));
let directories = 0;
const AUDITOR = { email: 'books@ruhani.example', password: 'reads every single page' };
const INSTANT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const newDirectory = (): string => path.join(home, String(++directories));

const ORIGIN = 'shop.example/log';
const signer = createSigner(ORIGIN, Buffer.alloc(32, 1));
const NOON = Date.UTC(2026, 10, 14, 12);

/** A log of so many leaves, fewer than a tile has. */
const logOf = async (size: number, word = 'leaf') => {
  const entries = Array.from({ length: size }, (_, at) => Buffer.from(`${word} ${at}`));
  const { tree } = appendEntries(EMPTY_TREE, entries);
  const read = nodesFromTiles(size, async () => [tree.levels[0] ?? Buffer.alloc(0)]);
  const root = await computeRoot(size, read);
  const sign = (key = signer) => {
    const text = formatCheckpoint({ origin: ORIGIN, size, root });
    return formatNote(text, [signNote(text, key)]);
  };
  const proof = async (old: number) => (await proveConsistency(old, size, read)).map((hash) => hash.toString('base64'));
  const request = async (old: number, note = sign()) => `${[`old ${old}`, ...(await proof(old)), ''].join('\n')}\n${note}`;
  return { size, root, sign, request, proof };
};

const openWitness = (directory = newDirectory(), vkeys = `${formatVkey(signer)}\n`) =>
  LogWitness.open(
    directory,
    async () => vkeys,
    () => NOON,
  );

describe('a witness', () => {
  test('cosigns what continues the last checkpoint, and says so with its own key and the time', async () => {
    const directory = newDirectory();
    const witness = await openWitness(directory);
    for (const [old, size] of [
      [0, 3],
      [3, 3],
      [3, 7],
      [7, 200],
    ] as const) {
      const log = await logOf(size);
      const { status, body } = await witness.add(await log.request(old));
      expect(status).toBe(200);
      const { text, signatures } = parseNote(log.sign() + body);
      expect(verifyNote({ text, signatures }, parseVkey(witness.vkey))).toEqual({ seconds: NOON / 1_000 });
    }
    // After a restart it has the same key, and knows what it signed; other keys of the log are not believed.
    const again = await openWitness(directory, formatVkey(createSigner(ORIGIN, Buffer.alloc(32, 2))));
    expect(again.vkey).toBe(witness.vkey);
    expect(await again.add(await (await logOf(3)).request(0))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '200\n' });
  });

  test('keeps the keys of the log at once or not at all, so that a kill does not leave half a file', async () => {
    const directory = newDirectory();
    const file = path.join(directory, 'log-keys');
    await mkdir(directory);
    // Writing to the file itself would follow the link. Replacing it puts a file in the place of the link.
    await symlink(path.join(home, 'elsewhere'), file);
    await openWitness(directory);
    expect((await lstat(file)).isFile()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(`${formatVkey(signer)}\n`);
  });

  test('refuses every other checkpoint, and then still cosigns the right one', async () => {
    const witness = await openWitness();
    const [three, seven, forged] = [await logOf(3), await logOf(7), await logOf(7, 'other')];
    const statusOf = async (body: string) => (await witness.add(body)).status;
    expect(await statusOf(await three.request(0))).toBe(200);
    expect(await statusOf(await seven.request(0))).toBe(409);
    expect(await statusOf(await forged.request(3))).toBe(422);
    expect(await statusOf(`old 3\n\n${(await logOf(3, 'other')).sign()}`)).toBe(422);
    expect(await statusOf(`old 3\n\n${seven.sign()}`)).toBe(422);
    expect(await statusOf(`old 9\n\n${seven.sign()}`)).toBe(400);
    expect(await statusOf(await seven.request(3, seven.sign(createSigner(ORIGIN, Buffer.alloc(32, 2)))))).toBe(403);
    expect(await statusOf(await seven.request(3, seven.sign().replaceAll(ORIGIN, 'other.example/log')))).toBe(404);
    for (const wrong of [
      '',
      'old 3',
      'old 03\n\n',
      `old x\n\n${seven.sign()}`,
      `old 3\nnot a hash\n\n${seven.sign()}`,
      `${await seven.request(3)}x`,
    ])
      expect(await statusOf(wrong)).toBe(400);
    const line = `${hashLeaf(Buffer.from('')).toString('base64')}\n`;
    expect(await statusOf(`old 3\n${line.repeat(64)}\n${seven.sign()}`)).toBe(400);
    expect(await statusOf(await seven.request(3))).toBe(200);
    const fresh = await openWitness();
    expect((await fresh.add(`old 0\n${line}\n${three.sign()}`)).status).toBe(422);
    const text = formatCheckpoint({ origin: ORIGIN, size: 0, root: EMPTY_ROOT });
    expect((await fresh.add(`old 0\n\n${formatNote(text, [signNote(text, signer)])}`)).status).toBe(200);
  });

  test('keeps of a checkpoint its text, the signature of the log and its own', async () => {
    const witness = await openWitness();
    const [three, seven] = [await logOf(3), await logOf(7)];
    const { text } = parseNote(three.sign());
    const strangers = Array.from({ length: 63 }, (_, at) => signNote(text, createSigner(`stranger-${at}`, Buffer.alloc(32, 9))));
    const { status, body } = await witness.add(await three.request(0, formatNote(text, [...strangers, signNote(text, signer)])));
    expect(status).toBe(200);
    expect(await witness.readLatest(hash('sha256', ORIGIN))).toBe(three.sign() + body);
    expect((await witness.add(await seven.request(3))).status).toBe(200);
  });

  test('cosigns a later origin of the log with a key that it believes, and not with one of an origin that is over', async () => {
    const [old, lost] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const under = (number: number, seed: Buffer) => createSigner(`${ORIGIN}/${number}`, seed);
    const witness = await openWitness(newDirectory(), `${formatVkey(under(3, old))}\n${formatVkey(createSigner(ORIGIN, lost))}\n`);
    const statusOf = async (key: NoteSigner) => {
      const text = formatCheckpoint({ origin: key.name, size: 0, root: EMPTY_ROOT });
      return (await witness.add(`old 0\n\n${formatNote(text, [signNote(text, key)])}`)).status;
    };
    expect(await statusOf(under(4, old))).toBe(200);
    expect(await statusOf(under(4, lost))).toBe(403);
    expect(await statusOf(under(2, lost))).toBe(200);
    expect(await statusOf(under(2, old))).toBe(403);
    expect(await statusOf(createSigner(`other.example/log/4`, old))).toBe(404);
    expect(await statusOf(createSigner(`${ORIGIN}/04`, old))).toBe(404);
    expect(await witness.readLatest(hash('sha256', `${ORIGIN}/4`))).toContain(`${ORIGIN}/4\n0\n`);
  });

  test('compares and replaces in one step: of two logs that fork at once it cosigns one', async () => {
    const witness = await openWitness();
    await witness.add(await (await logOf(3)).request(0));
    const requests = await Promise.all([5, 6, 7, 8].map(async (size) => (await logOf(size)).request(3)));
    const statuses = (await Promise.all(requests.map((each) => witness.add(each)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
  });
});

describe('npm run witness', () => {
  test('refuses bodies that are too long or break off, and prints nothing for them', async () => {
    const log = await listening((_, res) => res.end(`${formatVkey(signer)}\n`));
    const { named, said, stop } = await startWitness(log.url);
    const url = named.split(' ')[1] ?? '';
    expect((await fetch(`${url}/add-checkpoint`, { method: 'POST', body: 'x'.repeat(64 * 1_024 + 1) })).status).toBe(413);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: witness\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n');
    // By its answer the witness has begun to read the body.
    await once(socket, 'data');
    socket.end();
    await once(socket, 'close');
    await stop();
    await log.close();
    expect(said).toEqual([named]);
  });

  test('prints an address that others can use', () => {
    expect(witnessUrl('127.0.0.1', 3_100)).toBe('http://127.0.0.1:3100');
    expect(witnessUrl('::1', 3_100)).toBe('http://[::1]:3100');
    for (const any of ['0.0.0.0', '::']) expect(witnessUrl(any, 3_100)).toBe(`http://${hostname()}:3100`);
  });
});

describe('asking witnesses', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** Asks witnesses that each sign after so many ms; `Infinity` is never. `asked` are the first lines of the requests. */
  const asking = (quorum: number, ...delays: number[]) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const ending = new AbortController();
      setTimeout(() => ending.abort(), ms);
      return ending.signal;
    });
    const signers = delays.map((_, at) => createSigner(`witness-${at}`, Buffer.alloc(32, 10 + at), 4));
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string, { body, signal }: { body: string; signal: AbortSignal }) => {
      const at = Number(new URL(url).hostname.slice('witness-'.length));
      const [signs, delay = 0] = [signers[at], delays[at]];
      asked.push(body.split('\n')[0] ?? '');
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('The request was given up')));
        if (Number.isFinite(delay)) setTimeout(resolve, delay);
      });
      return new Response(signs && signNote(parseNote(body.slice(body.indexOf('\n\n') + 2)).text, signs, NOON / 1_000));
    });
    const warn = vi.fn();
    const named = signers.map((each) => `${formatVkey(each)} http://${each.name}`);
    const witnesses = createWitnesses(policyOf(quorum, ...named), { info: () => {}, warn });
    /** Returns how many have signed, and after how many ms this was known. */
    const cosign = async (size: number) => {
      const { sign, root } = await logOf(size);
      let ms = 0;
      let isOver = false;
      const cosigning = witnesses
        .cosign({ origin: ORIGIN, size, root, note: sign() }, async () => [])
        .finally(() => {
          isOver = true;
        });
      while (!isOver) {
        ms += 100;
        await vi.advanceTimersByTimeAsync(100);
      }
      return { count: (await cosigning)?.length, ms };
    };
    return { cosign, asked, warn };
  };

  test('waits for one when no quorum asks for any, but not longer than 700 ms', async () => {
    expect(await asking(0, 600).cosign(3)).toEqual({ count: 1, ms: 600 });
    expect(await asking(0, 100, 300, Infinity).cosign(3)).toEqual({ count: 2, ms: 400 });
    expect(await asking(0, Infinity).cosign(3)).toEqual({ count: 0, ms: 700 });
    expect(await asking(0, 500, Infinity).cosign(3)).toEqual({ count: 1, ms: 700 });
  });

  test('waits for a quorum two seconds', async () => {
    expect(await asking(2, 100, 1_500).cosign(3)).toEqual({ count: 2, ms: 1_500 });
    expect(await asking(2, 100, Infinity).cosign(3)).toEqual({ count: undefined, ms: 2_000 });
  });

  test('remembers what a witness signed too late, and says that it was too late', async () => {
    const { cosign, asked, warn } = asking(0, 1_500);
    await cosign(3);
    await vi.advanceTimersByTimeAsync(800);
    await cosign(7);
    expect(asked).toEqual(['old 0', 'old 3']);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error: 'It answered too late' }), 'A witness did not sign');
  });
});

describe('a witness that belongs to others', () => {
  const key = createSigner('witness', Buffer.alloc(32, 9), 4);
  const checkpoint = async () => {
    const { sign, root } = await logOf(3);
    return { origin: ORIGIN, size: 3, root, note: sign() };
  };
  /** Opens a shop's view of a witness that answers so. */
  const answering = async (respond: RequestListener) => {
    const server = await listening(respond);
    onTestFinished(server.close);
    const warn = vi.fn();
    return { ...createWitnesses(policyOf(0, `${formatVkey(key)} ${server.url}`), { info: () => {}, warn }), warn };
  };
  const cosigning = async (respond: RequestListener) => {
    const { cosign, warn } = await answering(respond);
    const lines = await cosign(await checkpoint(), async () => []);
    return { lines, why: warn.mock.calls.map(([{ error }]) => error) };
  };

  test('is not believed when it sends too much, even packed', async () => {
    const much = gzipSync(Buffer.alloc(50_000_000, 'x'));
    expect(await cosigning((_, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(much))).toEqual({
      lines: [],
      why: ['It answers more than 8192 bytes'],
    });
  });

  test('leads the shop nowhere else', async () => {
    const elsewhere = vi.fn();
    const other = await listening((_, res) => (elsewhere(), res.end()));
    onTestFinished(other.close);
    expect((await cosigning((_, res) => res.writeHead(307, { Location: other.url }).end())).lines).toEqual([]);
    expect(elsewhere).not.toHaveBeenCalled();
  });

  test('is quoted in a few words', async () => {
    const { why } = await cosigning((_, res) => res.end(`${'x'.repeat(5_000)}\n`));
    expect(String(why[0])).toHaveLength(300);
  });

  test.each([
    ['in seconds', NOON / 1_000, 1],
    ['in milliseconds, which verifiers refuse', NOON, 0],
  ])('signs with a time %s', async (_, time, count) => {
    const { note } = await checkpoint();
    const { lines } = await cosigning((__, res) => res.end(signNote(parseNote(note).text, key, time)));
    expect(lines).toHaveLength(count);
  });

  test('has to say what it signed last when all are asked, and not only that there is nothing at the address', async () => {
    const nothing = await answering((_, res) => res.writeHead(404).end(NOTHING_SIGNED));
    expect(await nothing.recall(ORIGIN, true)).toEqual([]);
    const silent = await answering((_, res) => res.writeHead(404).end('Not found'));
    expect(await silent.recall(ORIGIN, false)).toEqual([]);
    await expect(silent.recall(ORIGIN, true)).rejects.toThrow('does not say what it signed last (it answers 404)');
  });
});

describe('a shop with witnesses', () => {
  test('publishes what enough of them have cosigned, and nothing else', async () => {
    // The keys of the log are there before anything is signed, so a witness can be started before the shop has one.
    const first = await openShopForTest({ projecting: true });
    await change([first], oudSaffronMajlis, add());
    await expect.poll(() => publicLogAt(`${first.url}/log`).statusOf('checkpoint')).toBe(200);
    const early = ordering(first);
    const { _id: earlyId } = await early.buy();
    const receiptAt = async (buyer: OrderingBrowser, order: string) => {
      await expect.poll(async () => (await buyer.get(`/api/order/${order}/receipt`)).status).toBe(200);
      return String((await buyer.get(`/api/order/${order}/receipt`)).body);
    };
    const uncosigned = await receiptAt(early, earlyId);
    const { databaseUrl } = first;
    const one = await startWitness(`${first.url}/log`);
    const two = await startWitness(`${first.url}/log`);
    await first.close();

    let refused = 0;
    const away = await listening((_, res) => {
      refused += 1;
      res.writeHead(500).end();
    });
    const shop = await openShopForTest({
      databaseUrl,
      projecting: true,
      people: { auditor: AUDITOR },
      witnessPolicy: policyOf(2, one.named, two.named.replace(/http\S+/, away.url)),
    });
    const auditor = browser(shop.url);
    await auditor.post('/api/user/login', AUDITOR);
    const signatures = async () => (await auditor.get('/api/audit/signatures')).body;
    const log = publicLogAt(`${shop.url}/log`);
    const { size } = await log.readCheckpoint();
    const at = ordering(shop);
    const { _id: id } = await at.buy();
    // The second request comes after the first checkpoint was given up.
    await expect.poll(() => refused).toBeGreaterThan(1);
    expect((await at.get(`/api/order/${id}/receipt`)).status).toBe(503);
    expect((await log.readCheckpoint()).size).toBe(size);
    const unsigned = { origin: 'localhost/log', size, witnesses: 2, quorum: 2, isCosigned: false, cosignedAt: null };
    expect(await signatures()).toEqual({ ...unsigned, signedAt: INSTANT, unsignedSince: INSTANT });
    await shop.close();
    await away.close();

    const again = await openShopForTest({
      databaseUrl,
      projecting: true,
      people: { auditor: AUDITOR },
      witnessPolicy: policyOf(2, one.named, two.named),
    });
    const cosigned = publicLogAt(`${again.url}/log`);
    await expect.poll(async () => (await cosigned.readCheckpoint()).size).toBeGreaterThan(size);
    const note = parseNote((await cosigned.readCheckpoint()).note);
    for (const { named } of [one, two])
      expect(verifyNote(note, parseVkey(named.split(' ')[0] ?? ''))).toMatchObject({ seconds: expect.any(Number) });
    const later = browser(again.url);
    await later.post('/api/user/login', AUDITOR);
    await expect
      .poll(async () => (await later.get('/api/audit/signatures')).body)
      .toMatchObject({ isCosigned: true, cosignedAt: INSTANT, unsignedSince: null });
    // What was published before the witnesses were asked for needs none of them; what came later does.
    const policy = await readReceiptPolicy(again.db);
    expect(policy).toMatchObject({ quorum: 2, earlier: [{ quorum: 0 }, { quorum: 2 }] });
    expect(JSON.parse(await readFile(path.join(again.dataDir, 'log-policy'), 'utf8'))).toEqual(policy);
    const verify = (receipt: string) => verifyReceipt(receipt, policy, nodePlatform);
    const buyer = ordering(again);
    const { _id: laterId } = await buyer.buy();
    const receipt = await receiptAt(buyer, laterId);
    expect(verify(uncosigned)).toMatchObject({ proved: true, witnesses: [], quorumToday: 2 });
    expect(verify(receipt)).toMatchObject({ proved: true, witnesses: [{}, {}], quorumToday: undefined });
    expect(verify(receipt.replace(/\u2014 witness.*\n/, ''))).toMatchObject({ reason: 'witnesses' });
    await one.stop();
    await two.stop();
  });

  test('signs at once with a key that it has just made, though a witness does not say what it signed last', async () => {
    const silent = await listening((_, res) => res.writeHead(404).end('Not found'));
    onTestFinished(silent.close);
    const vkey = formatVkey(createSigner('witness', Buffer.alloc(32, 3), 4));
    const shop = await openShopForTest({ projecting: true, witnessPolicy: policyOf(0, `${vkey} ${silent.url}`) });
    await change([shop], oudSaffronMajlis, add());
    await expect.poll(() => publicLogAt(`${shop.url}/log`).statusOf('checkpoint')).toBe(200);
  });

  test('does not wait for those that no quorum asks for', async () => {
    const away = await listening(() => {});
    const vkey = formatVkey(createSigner('witness', Buffer.alloc(32, 3), 4));
    const first = await openShopForTest({ projecting: true });
    await change([first], oudSaffronMajlis, add());
    await expect.poll(() => publicLogAt(`${first.url}/log`).statusOf('checkpoint')).toBe(200);
    await first.close();
    const shop = await openShopForTest({
      databaseUrl: first.databaseUrl,
      people: { dataDir: first.dataDir },
      projecting: true,
      witnessPolicy: policyOf(0, `${vkey} ${away.url}`),
    });
    const { readCheckpoint } = publicLogAt(`${shop.url}/log`);
    const { size } = await readCheckpoint();
    await ordering(shop).add({ _id: oudSaffronMajlis });
    await expect.poll(async () => (await readCheckpoint()).size).toBeGreaterThan(size);
    await away.close();
  });
});

describe('the configuration of witnesses', () => {
  const vkey = formatVkey(createSigner('witness', Buffer.alloc(32, 3), 4));

  test('is a list of vkeys and addresses', () =>
    expect(parseWitnesses(`${vkey} http://one:3100/, ${vkey} https://two.example`)?.map(({ url }) => url)).toEqual([
      'http://one:3100',
      'https://two.example',
    ]));

  test.each(['', vkey, `${vkey} ftp://one`, `${vkey} http://one more`, `${formatVkey(signer)} http://one`, `${vkey} http://one,`])(
    'is not %j',
    (list) => expect(parseWitnesses(list)).toBeUndefined(),
  );

  test('asks for no more witnesses than there are', () =>
    expect(() => readConfig({ LOG_WITNESSES: `${vkey} http://one`, LOG_WITNESS_QUORUM: '2' })).toThrow(
      /LOG_WITNESS_QUORUM is 2, and LOG_WITNESSES names 1/,
    ));

  test('asks for no more signatures than the QR code on an invoice has room for', () => {
    const named = Array.from({ length: 5 }, (_, at) => `${formatVkey(createSigner('w', Buffer.alloc(32, 100 + at), 4))} http://w`);
    const read = (quorum: string) => readConfig({ LOG_WITNESSES: named.join(','), LOG_WITNESS_QUORUM: quorum });
    expect(read('4').witnessPolicy.quorum).toBe(4);
    expect(() => read('5')).toThrow('LOG_WITNESS_QUORUM is 5: ask for at most 4');
  });

  test('names each key once, under whatever name', () => {
    const other = formatVkey(createSigner('another-name', Buffer.alloc(32, 3), 4));
    expect(() => readConfig({ LOG_WITNESSES: `${vkey} http://one, ${other} http://two`, LOG_WITNESS_QUORUM: '2' })).toThrow(
      'LOG_WITNESSES names the key of another-name twice: name each witness once.',
    );
  });

  test('names no more witnesses than a note has room for beside the log', () => {
    const named = Array.from({ length: 64 }, (_, at) => `${formatVkey(createSigner('w', Buffer.alloc(32, 100 + at), 4))} http://w`);
    expect(readConfig({ LOG_WITNESSES: named.slice(1).join(',') }).witnessPolicy.witnesses).toHaveLength(63);
    expect(() => readConfig({ LOG_WITNESSES: named.join(',') })).toThrow('LOG_WITNESSES names 64 witnesses: name at most 63.');
  });
});
