import { describe, expect, test } from 'vitest';
import { parseTlogProof } from '#domain/receipt/receipt-format.ts';
import { formatCheckpoint, logOrigin, originAt, originNumber, parseCheckpoint } from './checkpoint.ts';
import { leafOf } from './leaf.ts';
import { EMPTY_ROOT } from './merkle-tree.ts';
import {
  createSigner,
  formatNote,
  formatVkey,
  Malformed,
  parseNote,
  parseSignatures,
  parseVkey,
  signNote,
  verifyNote,
} from './signed-note.ts';
import { formatTlogProof } from './tlog-proof.ts';

/** The example of the specification of signed notes. */
const VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

const log = createSigner('shop.example/log', Buffer.alloc(32, 1));
const witness = createSigner('witness.example', Buffer.alloc(32, 2), 4);
const root = EMPTY_ROOT;
const text = formatCheckpoint({ origin: 'shop.example/log', size: 0, root });

describe('a signed note', () => {
  test('of the specification is verified', () => {
    expect(verifyNote(parseNote(NOTE), parseVkey(VKEY))).toEqual({});
    expect(verifyNote(parseNote(NOTE.replace('example message', 'Example message')), parseVkey(VKEY))).toBe('invalid');
    expect(formatVkey(parseVkey(VKEY))).toBe(VKEY);
  });

  test('is signed by the log and by a witness, who says when', () => {
    const note = parseNote(formatNote(text, [signNote(text, log), signNote(text, witness, 1_790_000_000)]));
    expect(note.text).toBe(text);
    expect(verifyNote(note, log)).toEqual({});
    expect(verifyNote(note, witness)).toEqual({ seconds: 1_790_000_000 });
    expect(verifyNote(note, parseVkey(formatVkey(witness)))).toEqual({ seconds: 1_790_000_000 });
    expect(verifyNote(note, createSigner('shop.example/log', Buffer.alloc(32, 3)))).toBeUndefined();
  });

  test('with a wrong signature under a known key is invalid, also beside a right one', () => {
    const [right] = parseSignatures(signNote(text, witness, 5));
    const later = { ...right, bytes: Buffer.from(right?.bytes ?? []) };
    later.bytes[7] = 6;
    const note = { text, signatures: [right, later].flatMap((each) => (each?.name ? [{ name: '', id: '', ...each }] : [])) };
    expect(verifyNote(note, witness)).toBe('invalid');
    expect(verifyNote({ text, signatures: note.signatures.slice(0, 1) }, witness)).toEqual({ seconds: 5 });
  });

  test('of the same key as log and as witness has two ids', () => {
    expect(createSigner('a', Buffer.alloc(32, 1)).id).not.toBe(createSigner('a', Buffer.alloc(32, 1), 4).id);
  });

  test('that is none is refused', () => {
    const line = signNote(text, log);
    const wrong = [
      text,
      `${text}\n`,
      formatNote(text, [line]).slice(0, -1),
      formatNote(text, [line]).replaceAll('\n', '\r\n'),
      formatNote(text, [line.replace('—', '-')]),
      formatNote(text, [line.replace('=', '')]),
      formatNote(text, [line.replace('shop.example/log', 'shop example')]),
      formatNote(text, [line.replace('shop.example/log', 'shop+log')]),
      formatNote(text, ['— shop.example/log AAAA\n']),
      formatNote(
        text,
        Array.from({ length: 65 }, () => line),
      ),
      formatNote(`${text}\ud800\n`, [line]),
    ];
    for (const note of wrong) expect(() => parseNote(note)).toThrow(Malformed);
    expect(
      parseNote(
        formatNote(
          text,
          Array.from({ length: 64 }, () => line),
        ),
      ).signatures,
    ).toHaveLength(64);
  });

  test('needs a key with its own id', () => {
    for (const vkey of [
      VKEY.replace('530d', '530e'),
      VKEY.replace('foo', 'bar'),
      VKEY.slice(0, -4),
      'key',
      VKEY.replace('+AekyeRr', '+BekyeRr'),
    ])
      expect(() => parseVkey(vkey)).toThrow(Malformed);
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\nb']) expect(() => createSigner(name, Buffer.alloc(32))).toThrow(Malformed);
    expect(() => createSigner('a', Buffer.alloc(31))).toThrow('A signing key has 32 bytes, not 31');
  });
});

describe('a checkpoint', () => {
  test('is read as it was written', () => {
    expect(parseCheckpoint(text)).toEqual({ origin: 'shop.example/log', size: 0, root });
    expect(text).toBe('shop.example/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n');
  });

  test('has three lines, a size without leading zeros and a root of 32 bytes', () => {
    const wrong = [
      text.slice(0, -1),
      `${text}more\n`,
      text.replace('\n0\n', '\n00\n'),
      text.replace('\n0\n', '\n-1\n'),
      text.replace('\n0\n', '\n\n'),
    ];
    for (const each of [
      ...wrong,
      text.replace('shop.example/log', ''),
      text.replace('47DE', ''),
      text.replace('\n0\n', '\n9007199254740993\n'),
    ])
      expect(() => parseCheckpoint(each)).toThrow(Malformed);
  });

  test('of a new log has the next origin', () => {
    expect(logOrigin('https://shop.example')).toBe('shop.example/log');
    expect(logOrigin('http://127.0.0.1:3000/')).toBe('127.0.0.1:3000/log');
    const nextOrigin = (origin: string) => originAt(origin, originNumber(origin) + 1);
    expect(['shop.example/log', 'shop.example/log/2', 'shop.example/log/9'].map(nextOrigin)).toEqual([
      'shop.example/log/2',
      'shop.example/log/3',
      'shop.example/log/10',
    ]);
    expect(() => nextOrigin('shop.example')).toThrow('Not the origin of a log of this shop: shop.example');
  });
});

test('a tlog-proof is read as it was written', () => {
  const note = formatNote(text, [signNote(text, log)]);
  const read = parseTlogProof(formatTlogProof({ extra: Buffer.from('extra'), index: 3, proof: [root, root], checkpoint: note }));
  expect(Buffer.from(read.extra).toString()).toBe('extra');
  expect(read.index).toBe(3);
  expect(read.proof.map((each) => Buffer.from(each))).toEqual([root, root]);
  expect(read.checkpoint).toMatchObject({ text, signatures: [{ name: log.name }] });
  expect(formatTlogProof({ index: 3, proof: [], checkpoint: note })).toBe(`c2sp.org/tlog-proof@v1\nindex 3\n\n${note}`);
});

test('a leaf has four lines, and no name of a stream', () => {
  const metadata = `{"version":1,"hash":"${'ab'.repeat(32)}"}`;
  expect(leafOf({ stream: 'cart-meera', revision: 7, metadata })).toBe(
    `ruhani-event/1\nfbde2d65c244ad23ce833671ff9d0e176cf65e394fc44cec8531b0031f789eac\n7\n${'ab'.repeat(32)}\n`,
  );
});
