import { hash } from 'node:crypto';
import { NO_STREAM, type CommandMetadata, type StreamName } from '#domain/event-store.ts';
import type { RefusalReason } from '#domain/receipt/receipt-format.ts';
import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import { orderNumber, uuidFromHash } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { cancelled, confirmed, created, placed, shipped } from '#domain/testing/orders.ts';
import { invoice } from '#domain/testing/tax-documents.ts';
import { eventCodec } from '../../event-store/codec/codec.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import type { SealedEvent } from '../../event-store/stored-event.ts';
import { formatCheckpoint } from '../checkpoint.ts';
import { formatLeaf, leafOf } from '../leaf.ts';
import { computeRoot, hashLeaf, hashNode, proveInclusion, type Hash, type ReadNodes } from '../merkle-tree.ts';
import { createSigner, formatNote, formatVkey, signNote, type NoteSigner } from '../signed-note.ts';
import { appendEntries, edgeTiles, EMPTY_TREE, nodesFromTiles } from '../tiles.ts';
import { formatTlogProof } from '../tlog-proof.ts';

/*
 * Makes the published vectors: the same bytes each time, with keys that everybody knows. Whoever writes another verifier tests it with them.
 */

const seedOf = (name: string): Buffer => hash('sha256', `vector ${name}`, 'buffer');
const ORIGIN = 'ruhani.example/log';
const log = createSigner(ORIGIN, seedOf('log'));
const otherKey = createSigner(ORIGIN, seedOf('another key'));
const otherLog = createSigner('attar.example/log', seedOf('another log'));
const witnesses = ['north', 'east', 'south'].map((name) => createSigner(`witness.example/${name}`, seedOf(name), 4));
const stranger = createSigner('witness.example/stranger', seedOf('stranger'), 4);

/** The policy after the log got another key under the same origin. */
export const rotatedPolicy = (policy: ReceiptPolicy): ReceiptPolicy => ({ ...policy, logs: [...policy.logs, formatVkey(otherKey)] });

export const vectorPolicy: ReceiptPolicy = { logs: [formatVkey(log)], witnesses: witnesses.map(formatVkey), quorum: 2 };

const actor = { kind: 'user', id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' } as const;
const command: CommandMetadata = { commandId: 'command-1', correlationId: 'request-1', causationId: 'request-1', actor };

const sealEvents = async (stream: StreamName, events: readonly DomainEvent[]): Promise<readonly SealedEvent[]> => {
  const key = { bytes: seedOf('subject'), madeAt: 0 };
  let count = 0;
  const codec = eventCodec({
    schemas,
    keys: { keyFor: async () => key, keysOf: async () => new Map(), erase: async () => {} },
    now: () => instant('2026-11-14T12:00:01.000Z'),
    makeIv: () => seedOf(`${stream} iv ${(count += 1)}`).subarray(0, 12),
    newEventId: () => uuidFromHash(hash('sha256', `${stream} event ${(count += 1)}`)),
  });
  return (await codec.seal(stream, NO_STREAM, events, command)).events;
};

/** An event of another stream, of which the log has only the leaf. */
const filler = (index: number): string => formatLeaf(`cart-${index}`, 0, hash('sha256', `filler ${index}`));

type Log = { readonly entries: readonly string[]; readonly read: (size: number) => ReadNodes };

const logWith = (known: Readonly<Record<number, string>>): Log => {
  const entries = Array.from({ length: 300 }, (_, index) => known[index] ?? filler(index));
  const { tree, full } = appendEntries(
    EMPTY_TREE,
    entries.map((entry) => Buffer.from(entry)),
  );
  const tiles = new Map([...full, ...edgeTiles(tree)].map((tile) => [`${tile.level}/${tile.index}`, tile.hashes]));
  const read = (size: number) =>
    nodesFromTiles(size, async (places) => places.map((place) => tiles.get(`${place.level}/${place.index}`) ?? Buffer.alloc(0)));
  return { entries, read };
};

/** What is told of a receipt before it becomes text, so that each part can be forged. */
type Parts = {
  readonly log: Log;
  readonly index: number;
  readonly size: number;
  readonly extra: string | Buffer;
  readonly proof?: (proof: readonly Hash[]) => readonly Hash[];
  readonly proofSize?: number;
  readonly origin?: string;
  readonly root?: Hash;
  readonly sign?: (text: string) => readonly string[];
  readonly signedText?: (text: string) => string;
  readonly text?: (receipt: string) => string;
};

const cosign = (text: string, by: readonly NoteSigner[]): readonly string[] =>
  by.map((witness, order) => signNote(text, witness, 1_794_658_000 + order));
const signByAll = (text: string): readonly string[] => [signNote(text, log), ...cosign(text, witnesses)];

const writeReceipt = async ({ proof = (same) => same, sign = signByAll, text = (same) => same, ...parts }: Parts): Promise<string> => {
  const { log: of, index, size, extra, proofSize = size, origin = ORIGIN, root, signedText = (same) => same } = parts;
  const body = formatCheckpoint({ origin, size, root: root ?? (await computeRoot(size, of.read(size))) });
  const path = proof(await proveInclusion(index, proofSize, of.read(proofSize)));
  return text(formatTlogProof({ extra: Buffer.from(extra), index, proof: path, checkpoint: formatNote(signedText(body), sign(body)) }));
};

/** The text of the file, and what a verifier says. */
export type Vector = { readonly file: string; readonly text: string; readonly reason?: RefusalReason };

export const VECTORS_FOLDER = new URL('../vectors/', import.meta.url);

/** Returns the text of `index.json`. */
export const formatIndex = (vectors: readonly Vector[]): string => {
  const rows = vectors.map(({ file, reason }) => ({ file, valid: reason === undefined, ...(reason && { reason }) }));
  return `${JSON.stringify({ policy: vectorPolicy, vectors: rows }, null, 2)}\n`;
};

const formatEvents = (events: readonly SealedEvent[]): string =>
  events
    .map(
      ({ stream, revision, eventId, type, data, metadata }) => `${JSON.stringify({ stream, revision, eventId, type, data, metadata })}\n`,
    )
    .join('');

const changeEvent = (events: readonly SealedEvent[], at: number, change: (event: SealedEvent) => Partial<SealedEvent>) =>
  events.map((event, index) => (index === at ? { ...event, ...change(event) } : event));

const cheaper = (event: DomainEvent): DomainEvent => JSON.parse(JSON.stringify(event).replace('"unitPrice":345000', '"unitPrice":34500'));
const noWitness = (text: string): readonly string[] => [signNote(text, log)];
const replaceIn = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);

/** Moves the time of a cosignature by a second; it stands in the eight bytes after the key's id. */
const moveTime = (_: string, name: string, encoded: string): string => {
  const bytes = Buffer.from(encoded, 'base64');
  bytes.writeUInt8(bytes.readUInt8(11) ^ 1, 11);
  return name + bytes.toString('base64');
};

/** Adds a byte to a signature. */
const lengthen = (line: string): string =>
  line.replace(/\S+\n$/, (encoded) => `${Buffer.concat([Buffer.from(encoded, 'base64'), Buffer.alloc(1)]).toString('base64')}\n`);

/** Base64 whose last character has bits that no encoder sets. */
const spoilBase64 = (text: string): string =>
  text.replace(/([A-Za-z0-9+/])=\n/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=\n`);

export const makeVectors = async (): Promise<readonly Vector[]> => {
  const stream: StreamName = 'order-5f0c2b8e-7d1a-4c3b-9e6f-2a4b6c8d0e1f';
  const history = [created({ giftWrap: true, giftMessage: 'For Amma' }), placed(), confirmed(), shipped()];
  const order = await sealEvents(stream, history);
  const other = await sealEvents('order-0b8c1d2e-3f40-4a5b-8c6d-7e8f9a0b1c2d', [
    created({ lines: [] }),
    { ...placed(), data: { ...placed().data, number: orderNumber('RH-7KQM2WXD') } },
  ]);
  const erased = await sealEvents('order-9d8e7f60-5142-4334-a526-170819fabcde', [
    created(),
    placed('Prepaid'),
    { ...cancelled(), data: { ...cancelled().data, because: 'erased' } },
  ]);
  const [paper] = await sealEvents('invoices-2026-2027', [invoice()]);
  if (!paper) throw new Error('There is no invoice');

  const at: Record<number, string> = { 0: leafOf(paper) };
  const put = (events: readonly SealedEvent[], places: readonly number[]): void =>
    places.forEach((place, index) => {
      const event = events[index];
      if (event) at[place] = leafOf(event);
    });
  put(order, [40, 41, 90, 255]);
  put(other, [100, 101]);
  put(erased, [200, 201, 299]);
  const shop = logWith(at);
  const parallel = logWith({ ...at, 7: filler(1007) });
  const rewritten = await sealEvents(stream, history.map(cheaper));
  const extended = await sealEvents(stream, [...history, cancelled()]);

  const whole: Parts = { log: shop, index: 255, size: 300, extra: formatEvents(order) };
  const namedLeaf = `ruhani-event/1\n${paper.stream}\n0\n${leafOf(paper).split('\n')[3]}\n`;
  const paperProof: Parts = { log: shop, index: 0, size: 300, extra: namedLeaf };
  const changed = (at: number, change: (event: SealedEvent) => Partial<SealedEvent>): Parts => ({
    ...whole,
    extra: formatEvents(changeEvent(order, at, change)),
  });
  const signedBy =
    (...signers: readonly NoteSigner[]) =>
    (text: string) => [signNote(text, log), ...cosign(text, signers)];
  const [north, east, south] = witnesses as [NoteSigner, NoteSigner, NoteSigner];

  const sibling = seedOf('sibling');
  const grow = replaceIn('\n1\n', '\n2\n');

  const valid: Record<string, Parts> = {
    order: whole,
    'order-with-two-witnesses': { ...whole, sign: signedBy(north, south) },
    'order-with-an-unknown-witness': { ...whole, sign: signedBy(north, stranger, south) },
    'order-when-placed': { ...whole, index: 41, extra: formatEvents(order.slice(0, 2)) },
    'order-at-the-end-of-a-full-tile': { ...whole, size: 256 },
    'order-erased-at-the-end-of-the-log': { ...whole, index: 299, extra: formatEvents(erased) },
    'invoice-at-the-start-of-the-log': paperProof,
    'invoice-in-a-log-of-one': { ...paperProof, size: 1 },
  };
  const [first, second, third] = order as [SealedEvent, SealedEvent, SealedEvent, SealedEvent];
  const forged: Record<RefusalReason, Record<string, Parts>> = {
    chain: {
      'price-changed': changed(0, ({ data }) => ({ data: data.replace('"unitPrice":345000', '"unitPrice":34500') })),
      'gift-message-removed': changed(0, ({ data }) => ({ data: data.replace(/"giftMessage":\{[^}]*\}/, '"giftMessage":""') })),
      'time-changed': changed(1, ({ metadata }) => ({ metadata: metadata.replace('12:00:01', '12:00:02') })),
      'stream-renamed': {
        ...whole,
        extra: formatEvents(order.map((event) => ({ ...event, stream: `${event.stream.slice(0, -1)}e` as StreamName }))),
      },
      'revision-changed': changed(3, () => ({ revision: 4 })),
      'type-changed': changed(2, () => ({ type: 'OrderDelivered' })),
      'event-id-changed': changed(2, () => ({ eventId: first.eventId })),
      'event-dropped': { ...whole, extra: formatEvents(order.toSpliced(2, 1)) },
      'first-event-dropped': { ...whole, extra: formatEvents(order.slice(1)) },
      'events-swapped': { ...whole, extra: formatEvents(order.with(1, third).with(2, second)) },
      'event-repeated': { ...whole, extra: formatEvents(order.toSpliced(1, 0, second)) },
      'event-of-another-order': { ...whole, extra: formatEvents([...order, ...other.slice(1)]) },
      'hash-left-out': changed(3, ({ metadata }) => ({ metadata: metadata.replace(/,"hash":"[^"]*"/, '') })),
    },
    inclusion: {
      'price-changed-and-hashes-recomputed': { ...whole, extra: formatEvents(rewritten) },
      'event-added': { ...whole, extra: formatEvents(extended) },
      'last-event-dropped': { ...whole, extra: formatEvents(order.slice(0, 3)) },
      'extra-of-another-order': { ...whole, extra: formatEvents(other) },
      'proof-of-another-tree': { ...whole, proof: (proof) => proof.with(7, proof[6] ?? Buffer.alloc(32)) },
      'log-of-another-tree': { ...whole, log: parallel, index: 41 },
      'old-checkpoint-with-a-new-proof': { ...whole, size: 256, proofSize: 300 },
      'new-checkpoint-with-an-old-proof': { ...whole, proofSize: 256 },
      'wrong-index': { ...whole, text: replaceIn('index 255', 'index 254') },
      'index-beyond-the-log': { ...whole, text: replaceIn('index 255', 'index 300') },
      'proof-one-hash-too-long': { ...whole, proof: (proof) => [...proof, Buffer.alloc(32)] },
      'proof-one-hash-too-short': { ...whole, proof: (proof) => proof.slice(0, -1) },
      'proof-in-another-order': { ...whole, proof: (proof) => proof.toReversed() },
      'proof-in-a-log-of-one': { ...paperProof, size: 1, proof: () => [Buffer.alloc(32)] },
      // The log's signature is right in both: it is the log that lies about its size.
      'root-of-a-smaller-log': { ...paperProof, size: 1, signedText: grow, sign: (text) => signByAll(grow(text)) },
      'root-of-a-larger-log': {
        ...paperProof,
        size: 1,
        proof: () => [sibling],
        root: hashNode(sibling, hashLeaf(Buffer.from(leafOf(paper)))),
      },
      'invoice-of-another-number': { ...paperProof, extra: namedLeaf.replace('\n0\n', '\n1\n') },
      'invoice-of-another-year': { ...paperProof, extra: namedLeaf.replace('2026-2027', '2025-2026') },
    },
    origin: {
      'another-log': { ...whole, origin: otherLog.name, sign: (text) => [signNote(text, otherLog), ...cosign(text, witnesses)] },
      'origin-changed': { ...whole, signedText: replaceIn(ORIGIN, `${ORIGIN}/2`) },
    },
    key: {
      'wrong-key-id': { ...whole, sign: (text) => [signNote(text, { ...log, id: 'deadbeef' }), ...cosign(text, witnesses)] },
      'signed-with-another-key': { ...whole, sign: (text) => [signNote(text, otherKey), ...cosign(text, witnesses)] },
      'signed-by-witnesses-alone': { ...whole, sign: (text) => cosign(text, witnesses) },
    },
    signature: {
      'another-key-under-the-known-id': {
        ...whole,
        sign: (text) => [signNote(text, { ...otherKey, id: log.id }), ...cosign(text, witnesses)],
      },
      'of-another-checkpoint': {
        ...whole,
        sign: (text) => [...noWitness(text.replace('\n300\n', '\n299\n')), ...cosign(text, witnesses)],
      },
      'size-changed': { ...whole, signedText: replaceIn('\n300\n', '\n301\n') },
      'of-another-length': { ...whole, sign: (text) => [lengthen(signNote(text, log)), ...cosign(text, witnesses)] },
      'a-wrong-signature-beside-the-right-one': { ...whole, sign: (text) => [...signByAll(text), ...noWitness(`${text}\n`)] },
    },
    witnesses: {
      'no-witness': { ...whole, sign: noWitness },
      'one-witness-of-two': { ...whole, sign: signedBy(east) },
      'one-witness-twice': { ...whole, sign: signedBy(east, east) },
      'of-which-one-is-unknown': { ...whole, sign: signedBy(east, stranger) },
      'of-which-one-signed-something-else': {
        ...whole,
        sign: (text) => [...signedBy(north, east)(text), ...cosign(text.replace('\n300\n', '\n299\n'), [south])],
      },
      'time-of-a-cosignature-changed': { ...whole, text: (text) => text.replace(/(witness\.example\/east )(\S+)/, moveTime) },
      'of-which-one-has-another-length': {
        ...whole,
        sign: (text) => [...signedBy(north, south)(text), ...cosign(text, [east]).map(lengthen)],
      },
      'log-key-as-witness': {
        ...whole,
        sign: (text) => [...signedBy(east)(text), ...cosign(text, [{ ...log, name: north.name, id: north.id, algorithm: 4 }])],
      },
    },
    malformed: {
      truncated: { ...whole, text: (text) => text.slice(0, -40) },
      'last-newline-missing': { ...whole, text: (text) => text.slice(0, -1) },
      'bytes-at-the-end': { ...whole, text: (text) => `${text}\n` },
      'line-ends-of-windows': { ...whole, text: (text) => text.replaceAll('\n', '\r\n') },
      'byte-order-mark': { ...whole, text: (text) => `\ufeff${text}` },
      'another-version': { ...whole, text: replaceIn('@v1', '@v2') },
      'size-with-a-leading-zero': { ...whole, signedText: replaceIn('\n300\n', '\n0300\n') },
      'index-with-a-leading-zero': { ...whole, text: replaceIn('index 255', 'index 0255') },
      'index-with-a-sign': { ...whole, text: replaceIn('index 255', 'index +255') },
      'unknown-line': { ...whole, text: replaceIn('index', 'note hello\nindex') },
      'extra-twice': { ...whole, text: replaceIn(/(extra .*\n)/, '$1$1') },
      'extra-missing': { ...whole, text: replaceIn(/extra .*\n/, '') },
      'base64-with-bits-to-spare': {
        ...whole,
        text: (text) => text.replace(/(index 255\n)([^]*)/, (_, index: string, rest: string) => index + spoilBase64(rest)),
      },
      'base64-without-padding': { ...whole, text: replaceIn('=\n', '\n') },
      'base64-of-urls': {
        ...whole,
        text: (text) => text.replace(/^extra .*/m, (line) => `extra ${Buffer.from(line.slice(6), 'base64').toString('base64url')}`),
      },
      'extension-line': { ...whole, signedText: (text) => `${text}hello\n`, sign: (text) => signByAll(`${text}hello\n`) },
      'not-utf-8': { ...whole, extra: Buffer.concat([Buffer.from(formatEvents(order)), Buffer.from([0xff, 0x0a])]) },
      'member-twice': { ...whole, extra: formatEvents(order).replace('{"stream"', '{"stream":"order-1","stream"') },
      'member-unknown': { ...whole, extra: formatEvents(order).replace('{"stream"', '{"note":"hello","stream"') },
      'blanks-in-an-event': { ...whole, extra: formatEvents(order).replace('{"stream":', '{ "stream":') },
      draft: { ...whole, index: 40, extra: formatEvents(order.slice(0, 1)) },
      empty: { ...whole, text: () => '' },
    },
  };
  const all = [
    ...Object.entries(valid).map(([name, parts]) => ({ name: `valid-${name}`, parts })),
    ...Object.entries(forged).flatMap(([reason, each]) =>
      Object.entries(each).map(([name, parts]) => ({ name: `${reason}-${name}`, parts, reason: reason as RefusalReason })),
    ),
  ];
  return Promise.all(
    all.map(async ({ name, parts, ...reason }) => ({ file: `${name}.tlog-proof`, text: await writeReceipt(parts), ...reason })),
  );
};
