import fc from 'fast-check';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reportReceipt } from '#domain/receipt/receipt-report.ts';
import { refusalReasons } from '#domain/receipt/receipt-format.ts';
import { verifyReceipt, type ReceiptPolicy, type Verdict } from '#domain/receipt/receipt.ts';
import { nodePlatform } from './node-platform.ts';
import { formatIndex, makeVectors, rotatedPolicy, VECTORS_FOLDER, vectorPolicy } from './testing/receipt-vectors.ts';

const vectors = await makeVectors();
const read = (file: string): string => readFileSync(new URL(file, VECTORS_FOLDER), 'utf8');
const verify = (text: string, policy: ReceiptPolicy = vectorPolicy): Verdict => verifyReceipt(text, policy, nodePlatform);
const order = read('valid-order.tlog-proof');

describe('the published vectors', () => {
  test('are those that `npm run vectors` writes', () => {
    expect(readdirSync(VECTORS_FOLDER).sort()).toEqual([...vectors.map(({ file }) => file), 'index.json'].sort());
    for (const { file, text } of vectors) expect(read(file)).toBe(text);
    expect(read('index.json')).toBe(formatIndex(vectors));
  });

  test.each(vectors)('$file', ({ text, reason }) => {
    const verdict = verify(text);
    expect(verdict.proved ? undefined : verdict.reason).toBe(reason);
  });

  test('have every reason', () => {
    expect(new Set(vectors.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(refusalReasons));
  });
});

test('a proved receipt says what was bought, when, and who vouches for it', () => {
  expect(verify(order)).toEqual({
    proved: true,
    origin: 'ruhani.example/log',
    keyId: 'edac54aa',
    index: 255,
    size: 300,
    witnesses: [
      { name: 'witness.example/north', seconds: 1_794_658_000 },
      { name: 'witness.example/east', seconds: 1_794_658_001 },
      { name: 'witness.example/south', seconds: 1_794_658_002 },
    ],
    contents: {
      kind: 'order',
      number: 'RH-4WPDX9CT',
      method: 'COD',
      lines: [
        { name: 'Oud Saffron Majlis', quantity: 2, unitPrice: 345_000, rate: 18 },
        { name: 'Ruh Gulab', quantity: 1, unitPrice: 245_000, rate: 18 },
      ],
      subtotal: 935_000,
      taxes: [{ rate: 18, tax: 168_300 }],
      giftWrap: 3_900,
      total: 1_107_200,
      events: ['OrderCreated', 'OrderPlaced', 'OrderConfirmed', 'OrderShipped'].map((type) => ({ type, at: '2026-11-14T12:00:01.000Z' })),
    },
  });
  const invoice = verify(read('valid-invoice-at-the-start-of-the-log.tlog-proof'));
  expect(invoice).toMatchObject({ contents: { kind: 'invoice', number: 'RH/26-27/000001' } });
});

test('a receipt without witnesses is proved if none is asked for, and says so', () => {
  const verdict = verify(read('witnesses-no-witness.tlog-proof'), { ...vectorPolicy, quorum: 0 });
  expect(verdict).toMatchObject({ proved: true, witnesses: [] });
  expect(reportReceipt(verdict, String).sentences[1]).toBe(
    'No witness that is known here has signed it: that the shop shows everybody the same log is not proved.',
  );
});

test('an order that is to be paid online is not said to be paid, which its receipt does not have', () => {
  const verdict = verify(read('valid-order.tlog-proof'));
  if (!verdict.proved || verdict.contents.kind !== 'order') throw new Error('Not proved');
  const { facts, sentences } = reportReceipt({ ...verdict, contents: { ...verdict.contents, method: 'Prepaid' } }, String);
  expect(facts).toContainEqual({ label: 'Payment', value: 'online' });
  expect(sentences.at(-1)).toContain('It is not proved that the order was paid');
});

describe('a policy', () => {
  const [vkey = ''] = vectorPolicy.logs;

  test.each<[string, Partial<ReceiptPolicy>, string]>([
    ['without logs', { logs: [] }, 'origin'],
    ['whose key has another id', { logs: [vkey.replace('edac', 'edad')] }, 'key'],
    ['with the key of a witness as log', { logs: [...vectorPolicy.witnesses] }, 'key'],
    ['with the key of the log as witness', { witnesses: [vkey] }, 'key'],
    ['that is no vkey', { logs: ['hello'] }, 'key'],
    ['with a quorum that is no number', { quorum: NaN }, 'witnesses'],
  ])('%s proves nothing', (_, changes, reason) => {
    expect(verify(order, { ...vectorPolicy, ...changes })).toMatchObject({ proved: false, reason });
  });
});

test('a witness counts once, also if it is known under two names', () => {
  const [vkey = ''] = vectorPolicy.witnesses;
  const key = Buffer.from(vkey.split('+').slice(2).join('+'), 'base64');
  const id = hash('sha256', Buffer.concat([Buffer.from('alias.example\n'), key]), 'buffer').subarray(0, 4);
  const receipt = read('valid-order.tlog-proof');
  const line = receipt.split('\n').find((each) => each.startsWith('\u2014 witness.example/north')) ?? '';
  const signature = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4);
  const again = `\u2014 alias.example ${Buffer.concat([id, signature]).toString('base64')}\n`;
  const alias = `alias.example+${id.toString('hex')}+${key.toString('base64')}`;
  expect(verify(receipt + again, { ...vectorPolicy, witnesses: [alias], quorum: 1 }).proved).toBe(true);
  expect(verify(receipt + again, { ...vectorPolicy, witnesses: [vkey, alias] })).toMatchObject({ reason: 'witnesses' });
});

test('a log may change its key under one origin, and each of its signatures counts', () => {
  const policy = rotatedPolicy(vectorPolicy);
  const newer = read('key-signed-with-another-key.tlog-proof');
  const [id] = /(?<=\u2014 ruhani\.example\/log )\S{6}/.exec(newer) ?? [];
  expect(verify(newer, policy).proved).toBe(true);
  expect(verify(order, policy).proved).toBe(true);
  const line = order.split('\n').find((each) => each.startsWith('\u2014 ruhani.example/log')) ?? '';
  // Six characters are four bytes, the key's id, and half a byte of the signature.
  const wrong = line.replace(/(?<=log )\S{6}/, id ?? '');
  expect(verify(`${order}${wrong}\n`, policy)).toMatchObject({ proved: false, reason: 'signature' });
});

describe('no random change is proved', () => {
  const CHANGES = 100_000;
  /** What a log and its proof say. Lines of signatures after it may go, as long as enough witnesses are left. */
  const said = (text: string): string => text.slice(0, text.lastIndexOf('\n\n') + 2);

  const edit = fc.record({
    place: fc.nat({ max: order.length - 1 }),
    length: fc.oneof(fc.constant(1), fc.nat({ max: 200 })),
    by: fc.oneof(fc.constantFrom('', '\n', '=', 'A', '0', '\r', '\u2014', '"', '\0'), fc.string({ maxLength: 5 }), fc.constant(null)),
  });

  test('whatever is put in, taken out or repeated', () => {
    fc.assert(
      fc.property(edit, ({ place, length, by }) => {
        const part = order.slice(place, place + length);
        const changed = order.slice(0, place) + (by ?? part + part) + order.slice(place + (by === null ? part.length : length));
        const verdict = verify(changed);
        return !verdict.proved || said(changed) === said(order);
      }),
      { numRuns: CHANGES },
    );
  });

  test('whatever single bit of the log, the events or a signature is changed', () => {
    const bytes = Buffer.from(order);
    for (let place = 0; place < bytes.length; place += 1) {
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (place % 7)), place);
      const changed = bytes.toString();
      if (verify(changed).proved) expect(said(changed)).toBe(said(order));
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (place % 7)), place);
    }
  });

  test('and no text or policy makes it throw', () => {
    const anyPolicy = fc.record({ logs: fc.array(fc.string()), witnesses: fc.array(fc.string()), quorum: fc.double() });
    const header = 'c2sp.org/tlog-proof@v1\nextra ';
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String().map((text) => `${header}${text}\nindex 0\n\nlog\n1\n`),
    );
    fc.assert(
      fc.property(anyText, anyPolicy, (text, policy) => !verify(text, policy).proved),
      { numRuns: 5_000 },
    );
  });
});
