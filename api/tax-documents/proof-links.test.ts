import { createHash, randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';

import { logPosition, type EventMetadata } from '#domain/event-store.ts';
import { instant } from '#domain/shared/time.ts';
import { verifyReceipt, type ReceiptPolicy } from '#domain/receipt/receipt.ts';

import { openShopForFile } from '../testing/test-shop.ts';
import { formatCheckpoint } from '../transparency/checkpoint.ts';
import { formatLeaf } from '../transparency/leaf.ts';
import { computeRoot, hashLeaf, hashNode, proveInclusion, type ReadNodes } from '../transparency/merkle-tree.ts';
import { nodePlatform } from '../transparency/node-platform.ts';
import { createSigner, formatNote, formatVkey, signNote } from '../transparency/signed-note.ts';
import { createProofLinks } from './proof-links.ts';

const PUBLIC_URL = 'https://www.ruhani.example';
const shop = await openShopForFile();
const log = createSigner('www.ruhani.example/log', Buffer.alloc(32, 1));
const witnesses = Array.from({ length: 12 }, (_, index) => createSigner(`witness-${index}.example`, Buffer.alloc(32, index + 2), 4));

let time = 0;
const clock = { now: () => time, sleep: async (milliseconds: number) => void (time += milliseconds) };
const now = () => instant(new Date(Date.UTC(2026, 5, 1) + time).toISOString());

const anInvoice = () => ({
  stream: 'invoices-2026-2027' as const,
  revision: 41,
  position: logPosition(9n),
  metadata: { hash: randomBytes(32).toString('hex'), recordedAt: now() } as EventMetadata,
});

/** A log of a million events in which each leaf but one is a hash of its place. */
const SIZE = 1_000_000;
const INDEX = 765_432;
const nodesWith =
  (leaf: string): ReadNodes =>
  async (nodes) => {
    const read = (level: number, index: number): Buffer => {
      const holdsLeaf = Math.floor(INDEX / 2 ** level) === index;
      if (!holdsLeaf) return createHash('sha256').update(`${level}/${index}`).digest();
      return level === 0 ? hashLeaf(Buffer.from(leaf)) : hashNode(read(level - 1, 2 * index), read(level - 1, 2 * index + 1));
    };
    return nodes.map(({ level, index }) => read(level, index));
  };

const prove = async (leaf: string, signed = 2) => {
  const text = formatCheckpoint({ origin: log.name, size: SIZE, root: await computeRoot(SIZE, nodesWith(leaf)) });
  const signatures = [signNote(text, log), ...witnesses.slice(0, signed).map((witness) => signNote(text, witness, 1_795_000_000))];
  return { index: INDEX, proof: await proveInclusion(INDEX, SIZE, nodesWith(leaf)), checkpoint: formatNote(text, signatures) };
};

const proveLeaf = vi.fn<(leaf: string) => Promise<Awaited<ReturnType<typeof prove>> | undefined>>();
beforeEach(() => void proveLeaf.mockReset());

const linksWith = (quorum: number) => createProofLinks({ ...shop, receipts: { proveLeaf }, publicUrl: PUBLIC_URL, quorum, now, clock });
const links = linksWith(0);

const policy = (quorum: number): ReceiptPolicy => ({ logs: [formatVkey(log)], witnesses: witnesses.map(formatVkey), quorum });
const verify = (link: string | undefined, quorum = 0) => {
  const [, packed = ''] = /^https:\/\/www\.ruhani\.example\/verify#([\w-]+)$/.exec(link ?? '') ?? [];
  return verifyReceipt(inflateRawSync(Buffer.from(packed, 'base64url')).toString(), policy(quorum), nodePlatform);
};

test('a link proves the invoice with its number in a log of a million events, and two witnesses', async () => {
  proveLeaf.mockImplementation((leaf) => prove(leaf));
  const document = anInvoice();
  const link = await links.find(document);
  expect(proveLeaf.mock.calls).toEqual([[formatLeaf(document.stream, 41, document.metadata.hash), logPosition(9n)]]);
  expect(verify(link, 2)).toMatchObject({
    proved: true,
    contents: { kind: 'invoice', number: 'RH/26-27/000042', hash: document.metadata.hash },
  });
  expect(link?.length).toBeLessThan(1_650);
});

test('a link is made once: later ones are the same, although the log has grown, and whoever made it first', async () => {
  proveLeaf.mockImplementation((leaf) => prove(leaf, proveLeaf.mock.calls.length));
  const document = anInvoice();
  const found = await Promise.all(Array.from({ length: 4 }, () => links.find(document)));
  expect(new Set(found).size).toBe(1);
  const calls = proveLeaf.mock.calls.length;
  expect(await links.find(document)).toBe(found[0]);
  expect(proveLeaf).toHaveBeenCalledTimes(calls);
});

test('a link has 2,000 characters at most: of many witnesses the last are left out', async () => {
  proveLeaf.mockImplementation((leaf) => prove(leaf, 12));
  const link = await links.find(anInvoice());
  expect(link?.length).toBeLessThanOrEqual(2_000);
  expect(verify(link, 3)).toMatchObject({ proved: true });
  expect(verify(link, 12)).toMatchObject({ proved: false, reason: 'witnesses' });
});

test('a link keeps the witnesses of the quorum: there is none if it would be too long with them', async () => {
  proveLeaf.mockImplementation((leaf) => prove(leaf, 12));
  const document = anInvoice();
  expect(await linksWith(12).find(document)).toBeUndefined();
  expect(verify(await linksWith(3).find(document), 3)).toMatchObject({ proved: true });
});

test('without a proof nothing is kept, and nobody waits for longer than ten seconds after the document was recorded', async () => {
  proveLeaf.mockResolvedValue(undefined);
  const document = anInvoice();
  const before = time;
  expect(await links.waitFor(document)).toBeUndefined();
  expect(time - before).toBe(10_000);
  expect(await links.waitFor(document)).toBeUndefined();
  expect(time - before).toBe(10_000);
  const next = anInvoice();
  proveLeaf.mockResolvedValueOnce(undefined).mockImplementation((leaf) => prove(leaf));
  expect(verify(await links.waitFor(next))).toMatchObject({ proved: true });
  expect(time - before).toBe(10_500);
});

test('a document that was recorded by a clock that is ahead is awaited for ten seconds too', async () => {
  proveLeaf.mockResolvedValue(undefined);
  const document = anInvoice();
  time -= 3_600_000;
  const before = time;
  await links.waitFor(document);
  expect(time - before).toBe(10_000);
});

test('of many that wait at once, those beyond a thousand get their answer immediately', async () => {
  proveLeaf.mockResolvedValue(undefined);
  const document = anInvoice();
  const wakes: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => void wakes.push(resolve));
  const { waitFor } = createProofLinks({
    ...shop,
    receipts: { proveLeaf },
    publicUrl: PUBLIC_URL,
    quorum: 0,
    now,
    clock: { now: () => time, sleep },
  });
  const waits = Array.from({ length: 1_000 }, () => waitFor(document));
  expect(await waitFor(document)).toBeUndefined();
  await expect.poll(() => wakes.length).toBe(1_000);
  time += 10_000;
  for (const wake of wakes) wake();
  expect(new Set(await Promise.all(waits))).toEqual(new Set([undefined]));
});
