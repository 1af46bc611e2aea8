import { describe, expect, test } from 'vitest';
import { logPosition } from '#domain/event-store.ts';
import { verifyChain } from '../../chain.ts';
import { schemas, type EventSchema } from '../../codec/schemas.ts';
import type { SealedEvent } from '../../stored-event.ts';
import { allSamples, golden, goldenCodec, goldenLine, goldenLines } from './golden-lines.ts';

const versionOf = ({ metadata }: SealedEvent): number => JSON.parse(metadata).version;

/**
 * Everybody with access to the log may read the texts of these fields. A new field that people type into must be a `PersonalText` instead.
 * A few texts of staff and of the gateway are about nobody: each is listed with its event.
 */
const READABLE = new Set(
  [
    // These are ids, numbers and states.
    'shopper author writer from by into order orderNumber number deliveryState productId WishesMerged.products product payment refund link url kind method because decision hsn placeOfSupply webhook news move invitation member roles',
    // These belong to the catalogue.
    'ProductAdded.name ProductAdded.details category productImageUrl productDescription description productDetails tag picture',
    'ProductDetailsRevised.name ProductDetailsRevised.details ItemAdded.name CartsMerged.name',
    'OrderCreated.name OrderCreated.details OrderRevised.name OrderRevised.details InvoiceIssued.name CreditNoteIssued.name',
    // These belong to the seller, and one is the state by which the buyer is taxed.
    'InvoiceIssued.address CreditNoteIssued.address InvoiceIssued.state CreditNoteIssued.state gstin buyerState',
    // These texts of the gateway, the courier and the desk are about money and bottles.
    'PaymentFailed.why MismatchFound.why RefundRefused.why CashCollected.reference CashCollected.file RefundSettled.reference StockRemoved.reason',
  ].flatMap((names) => names.split(' ')),
);

/** Times, dates and `erased` are not personal. */
const IMPERSONAL = /^(?:|erased|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?)$/;

const readableFields = (value: unknown, name = ''): readonly string[] => {
  if (typeof value === 'string') return IMPERSONAL.test(value) ? [] : [name];
  if (Array.isArray(value)) return value.flatMap((each) => readableFields(each, name));
  if (typeof value !== 'object' || value === null || '$enc' in value) return [];
  return Object.entries(value).flatMap(([field, each]) => readableFields(each, field));
};

describe('the golden file of all event shapes', () => {
  test.each(allSamples)('has the %s event %s as written today, byte for byte', async (category, type, variants) => {
    for (const [variant, data] of variants.entries()) {
      const line = await goldenLine(category, type, data, variant);
      expect(goldenLines.find((each) => each === line) ?? 'Not in the file: `npm run golden` adds it').toBe(line);
    }
  });

  test.each(Object.entries<EventSchema>(schemas))('has every version of %s', (type, { version }) => {
    const versions = golden.filter(({ stored }) => stored.type === type).map(({ stored }) => versionOf(stored));
    expect([...new Set(versions)].sort()).toEqual(Array.from({ length: version }, (_, index) => index + 1));
  });

  test('is read in current shapes', async () => {
    const stored = golden.map((line, index) => ({ ...line.stored, position: logPosition(BigInt(index + 1)) }));
    const reads = golden.map((line) => line.reads);
    expect((await goldenCodec('').open(stored)).map((event) => event.data)).toEqual(reads);
  });

  test('has no personal text in readable form', () => {
    for (const { stored } of golden)
      expect(
        readableFields(JSON.parse(stored.data)).filter((field) => !READABLE.has(field) && !READABLE.has(`${stored.type}.${field}`)),
      ).toEqual([]);
  });

  test('has intact hash chains', () => {
    for (const { stored } of golden) expect(verifyChain(stored.stream, [stored])).toMatchObject({ chain: 'intact' });
  });
});
