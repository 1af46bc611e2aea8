import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { instant } from '#domain/shared/time.ts';
import { paise } from '#domain/shared/money.ts';
import { anOrder } from '#domain/testing/carts.ts';
import * as orders from '#domain/testing/orders.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { counted, reserved } from '#domain/testing/stocks.ts';
import * as products from '#domain/testing/products.ts';

import { liveLog } from '../audit/log/log-source.ts';
import type { StoredLine } from '../audit/audit-json.ts';
import { eventCodec } from '../event-store/codec/codec.ts';
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { schemas } from '../event-store/codec/schemas.ts';
import { memorySubjectKeys } from '../event-store/testing/memory-subject-keys.ts';
import { auditCommand } from './audit.ts';

const ORDER = '0b8c9a7e-1111-8222-9333-444455556666';
const DELIVERED: StreamName = `order-${ORDER}`;
const CANCELLED: StreamName = 'order-0b8c9a7e-1111-8222-9333-444455557777';

let folder: string;
let minute: number;
let store: ReturnType<typeof memoryEventStore>;
let said: string[];
let told: string[];

const append = async (stream: StreamName, ...events: readonly (OrderEvent | ProductEvent | StockEvent)[]): Promise<void> => {
  for (const event of events) {
    minute += 1;
    const { head } = await store.read(stream);
    const metadata = { commandId: `c-${minute}`, correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } } as const;
    await store.append(stream, head, [event], metadata);
  }
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ruhani-audit-'));
  minute = 0;
  const now = () => instant(new Date(Date.UTC(2026, 10, 14, 8, minute)).toISOString());
  store = memoryEventStore({ codec: eventCodec({ schemas, keys: memorySubjectKeys(), now }) });
  said = [];
  told = [];
  await append('product-oud-saffron-majlis', products.added(), products.repriced(paise(3_450_00), paise(3_650_00)));
  await append(DELIVERED, ...orders.historyOf.delivered);
  await append(CANCELLED, ...orders.historyOf.cancelled);
});
afterEach(() => rm(folder, { recursive: true }));

const audit = (...args: readonly string[]): Promise<number> =>
  auditCommand(args, { live: async () => liveLog(store), out: (line) => void said.push(line), err: (line) => told.push(line) });

const inFile = async (name: string, lines: readonly (object | string)[]): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
};
const exported = async (): Promise<StoredLine[]> => {
  said = [];
  expect(await audit('export')).toBe(0);
  const lines = said.flatMap((text) => text.split('\n')).map((line) => JSON.parse(line) as StoredLine);
  said = [];
  return lines;
};
const verified = async (lines: readonly StoredLine[], ...more: readonly string[]): Promise<number> =>
  audit('verify-all', '--file', await inFile('log.ndjson', lines), ...more);

const SOUND = ['10 events of 3 streams: everything is as it was written', '2 orders placed, sales ₹11,033.00'];

describe('npm run audit -- verify-all', () => {
  test('checks the shop\u2019s own log', async () => {
    expect(await audit('verify-all')).toBe(0);
    expect(said).toEqual(SOUND);
  });

  test('checks an export with nothing but the file', async () => {
    expect(await verified(await exported())).toBe(0);
    expect(said).toEqual(SOUND);
  });

  const fourth = (lines: readonly StoredLine[]): number =>
    lines.findIndex(({ stream, revision }) => stream === DELIVERED && revision === 2);

  test.each<[string, (lines: StoredLine[], at: number) => StoredLine[], string]>([
    [
      'a changed letter',
      (lines, at) => lines.map((line, index) => (index === at ? { ...line, data: line.data.replace('"note":""', '"note":" "') } : line)),
      `${DELIVERED} at revision 2: altered, this event is not what was appended`,
    ],
    [
      'a dropped event',
      (lines, at) => lines.toSpliced(at, 1),
      `${DELIVERED} at revision 2: missing, there is no event at this revision any more`,
    ],
    [
      'two swapped events',
      (lines, at) => lines.toSpliced(at, 2, ...lines.slice(at, at + 2).reverse()),
      `${DELIVERED} at revision 2: missing, there is no event at this revision any more`,
    ],
    [
      'an event not written by the shop',
      (lines, at) => lines.toSpliced(at + 3, 0, { ...(lines[at] ?? expect.fail()), stream: DELIVERED, revision: 5 }),
      `${DELIVERED} at revision 5: altered, this event is not what was appended`,
    ],
    [
      'an event in a stream that the shop does not have',
      (lines, at) => lines.toSpliced(at, 0, { ...(lines[at] ?? expect.fail()), stream: 'till-1' as StreamName }),
      'till-1 at revision 2: unknown_stream, the shop has no such stream',
    ],
  ])('reports %s', async (_, tamper, finding) => {
    const lines = await exported();
    expect(await verified(tamper(lines, fourth(lines)))).toBe(1);
    expect(said[0]).toBe(finding);
    expect(said[1]).toMatch(/: 1 faults$/);
  });

  test('reports with saved heads what was overwritten and what was cut off', async () => {
    await audit('heads');
    const heads = await inFile('heads.ndjson', said);
    const lines = await exported();
    expect(await verified(lines, '--heads', heads)).toBe(0);
    said = [];
    expect(await verified(lines.slice(0, -1))).toBe(0);
    said = [];
    expect(await verified(lines.slice(0, -1), '--heads', heads)).toBe(1);
    expect(said[0]).toBe(`${CANCELLED} at revision 2: missing, there is no event at this revision any more`);
    said = [];
    const other = await inFile('other.ndjson', [{ stream: CANCELLED, revision: 1, hash: '0'.repeat(64) }]);
    expect(await verified(lines, '--heads', other)).toBe(1);
    expect(said[0]).toBe(`${CANCELLED} at revision 1: altered, this event is not what was appended`);
  });

  test('reports a history that no order can have, although its hash chain is intact', async () => {
    await append(CANCELLED, orders.delivered());
    expect(await audit('verify-all')).toBe(1);
    expect(said[0]).toBe(`${CANCELLED} at revision 3: unlawful, an order that is cancelled became delivered`);
  });

  test('reports bottles that were reserved although they were not available', async () => {
    await append('stock-oud-saffron-majlis', counted(1), reserved(2));
    expect(await audit('verify-all')).toBe(1);
    expect(said[0]).toBe('stock-oud-saffron-majlis at revision 1: unlawful, 2 were reserved of 1 available');
  });

  test('reports the first line that does not come from an export', async () => {
    const file = await inFile('log.ndjson', [...(await exported()).slice(0, 2), '{"position":1}']);
    expect(await audit('verify-all', '--file', file)).toBe(1);
    expect(told.at(-1)).toBe(`Line 3 of ${file} is not a line of an export`);
  });
});

describe('npm run audit -- order', () => {
  test.each([ORDER, 'rh-4wpdx9ct'])('%s prints its events and its state', async (name) => {
    expect(await audit('order', name, '--verify')).toBe(0);
    expect(said.slice(0, 5).map((line) => line.split('  ').at(-1))).toEqual(orders.historyOf.delivered.map(({ type }) => type));
    expect(said[0]).toBe('   0  2026-11-14T08:03:00.000Z  admin meera  OrderCreated');
    expect(JSON.parse(said[5] ?? '')).toMatchObject({ _id: ORDER, status: 'delivered', total: 11_033, shippingAddress: orders.home });
    expect(said[6]).toMatch(/^Chain intact, ends with [0-9a-f]{64}$/);
  });

  test.each(['2', '2026-11-14T13:35:59+05:30'])('--at %s prints its state at that time', async (at) => {
    expect(await audit('order', ORDER, '--at', at)).toBe(0);
    expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ status: 'confirmed' });
  });

  test('prints that it did not exist before it was created', async () => {
    expect(await audit('order', ORDER, '--at', '2026-11-14T08:02:59Z')).toBe(0);
    expect(said).toEqual(['It did not exist yet']);
  });

  test('prints an order of an export without its personal data', async () => {
    const file = await inFile('log.ndjson', await exported());
    expect(await audit('order', ORDER, '--file', file)).toBe(0);
    const { shippingAddress, total } = JSON.parse(said.at(-1) ?? '') as { shippingAddress: object; total: number };
    expect({ shippingAddress, total }).toEqual({
      shippingAddress: expect.objectContaining({ name: 'erased', email: 'erased' }) as unknown,
      total: 11_033,
    });
  });

  test('prints that there is no such order', async () => {
    for (const name of ['RH-22222222', 'nonsense']) expect(await audit('order', name)).toBe(1);
    expect(told).toEqual(['There is no order RH-22222222 in this log', 'There is no order nonsense in this log']);
  });
});

test("npm run audit -- product prints a perfume's prices over time", async () => {
  expect(await audit('product', 'oud-saffron-majlis', '--at', '0')).toBe(0);
  expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ price: '₹3,450.00' });
  expect(await audit('product', 'oud-saffron-majlis')).toBe(0);
  expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ price: '₹3,650.00' });
});

test("npm run audit -- stock prints a perfume's bottles and the events that they come from", async () => {
  await append('stock-oud-saffron-majlis', counted(3), reserved(2));
  expect(await audit('stock', 'oud-saffron-majlis', '--at', '0')).toBe(0);
  expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ stock: { onHand: 3, available: 3 } });
  expect(await audit('stock', 'oud-saffron-majlis', '--verify')).toBe(0);
  expect(JSON.parse(said.at(-2) ?? '')).toMatchObject({
    stock: { onHand: 3, reserved: 2, available: 1, lowAt: null },
    amounts: [
      { name: 'onHand', amount: 3, parts: [{ label: 'Counted', amount: 3, revision: 0 }] },
      { name: 'reserved', amount: 2, parts: [{ order: anOrder, revision: 1 }] },
      { name: 'available', amount: 1 },
    ],
  });
});

describe('npm run audit -- what-if', () => {
  const inGoa = { state: ' GOA ' };
  const OTHER: StreamName = 'order-0b8c9a7e-1111-8222-9333-444455558888';
  beforeEach(() =>
    append(
      OTHER,
      orders.created({ giftWrap: true, shippingAddress: { ...orders.home, ...inGoa } }),
      orders.placed('COD', orders.deliveryDay, 'Goa'),
    ),
  );

  test("equals what was paid, under today's rules", async () => {
    expect(await audit('what-if')).toBe(0);
    expect(said).toEqual([
      'Rules: gift wrap ₹39.00, shipping free',
      '0 of 2 orders would differ. Sales: ₹22,105.00, would be ₹22,105.00, difference ₹0.00',
    ]);
  });

  test('prints the differences by month and state, and for each order', async () => {
    expect(await audit('what-if', '--rate', '3303=12', '--rate', '3301=20', '--wrap', '49', '--shipping', '99:10000')).toBe(0);
    expect(said.flatMap((text) => text.split('\n'))).toEqual([
      'Rules: 3303 at 12%, 3301 at 20%, gift wrap ₹49.00, shipping ₹99.00 below ₹10,000.00',
      '2 of 2 orders would differ. Sales: ₹22,105.00, would be ₹21,583.00, difference \u2212₹522.00',
      '',
      'month    state   orders         was    would be  difference',
      '2026-11  Goa          1  ₹11,072.00  ₹10,816.00    \u2212₹256.00',
      '2026-11  Kerala       1  ₹11,033.00  ₹10,767.00    \u2212₹266.00',
      'all                   2  ₹22,105.00  ₹21,583.00    \u2212₹522.00',
      '',
      'order                      was           would be         difference',
      'RH-4WPDX9CT         ₹11,033.00         ₹10,767.00           \u2212₹266.00',
      'RH-4WPDX9CT         ₹11,072.00         ₹10,816.00           \u2212₹256.00',
    ]);
  });

  test('prints one document with --json', async () => {
    expect(await audit('what-if', '--wrap', '49', '--json')).toBe(0);
    const amounts = { was: 11_072, wouldBe: 11_082, difference: 10 };
    expect(JSON.parse(said.join('\n'))).toEqual({
      rules: { rates: [], from: null, giftWrap: 49, shipping: { fee: 0, threshold: 0 } },
      all: { orders: 2, was: 22_105, wouldBe: 22_115, difference: 10 },
      differing: { orders: 1, ...amounts },
      rows: [{ month: '2026-11', state: 'Goa', orders: 1, ...amounts }],
      orders: [{ orderNumber: 'RH-4WPDX9CT', placedAt: orders.deliveryDay, state: 'Goa', ...amounts }],
    });
  });

  test('does not recalculate checkouts before the first day', async () => {
    expect(await audit('what-if', '--rate', '3303=12', '--from', '2026-11-15')).toBe(0);
    expect(said[1]).toBe('0 of 2 orders would differ. Sales: ₹22,105.00, would be ₹22,105.00, difference ₹0.00');
  });

  test('reads an export with encrypted addresses, and takes the state from the placing', async () => {
    expect(await audit('what-if', '--wrap', '49', '--file', await inFile('log.ndjson', await exported()))).toBe(0);
    expect(said[2]).toContain('2026-11  Goa');
  });

  test.each([
    [['--rate', '3303'], '--rate takes an HSN code of 4, 6 or 8 digits'],
    [['--rate', '330=12'], '--rate takes an HSN code'],
    [['--rate', '3303=101'], '--rate takes an HSN code'],
    [['--rate', '3303=1.005'], '--rate takes an HSN code'],
    [['--rate', '3303=-1'], '--rate takes an HSN code'],
    [['--rate', '3303=5', '--rate', '3303=12'], '--rate takes an HSN code'],
    [['--from', '2026-02-30'], '--from takes a day, such as 2026-04-01; not 2026-02-30'],
    [['--wrap', 'free'], '--wrap takes an amount in rupees, such as 49 or 49.50; not free'],
    [['--wrap', '1.005'], '--wrap takes an amount in rupees'],
    [['--wrap', ''], '--wrap takes an amount in rupees'],
    [['--shipping', '99'], '--shipping takes a fee and the subtotal from which it is not taken, in rupees, such as 99:2000; not 99'],
    [['--shipping', '99:2000:1'], '--shipping takes a fee'],
    [['now'], 'what-if takes no name'],
    [['--discount', '5'], 'Unknown option'],
    [['--at', '2026-11-01'], 'what-if takes no --at'],
    [['--heads', 'heads.json'], 'what-if takes no --at, --heads'],
    [['--verify'], 'what-if takes no --at, --heads, --verify'],
    [['--save'], 'what-if takes no --at, --heads, --verify or --save'],
  ])('refuses %j', async (args, sentence) => {
    expect(await audit('what-if', ...args)).toBe(1);
    expect(told[0]).toContain(sentence);
    expect(said).toEqual([]);
  });

  test('has options that no other command accepts', async () => {
    expect(await audit('export', '--wrap', '49')).toBe(1);
    expect(told[0]).toBe('--rate, --wrap, --shipping and --json belong to what-if');
  });
});

test('npm run audit -- heads prints each line after the one before was read', async () => {
  let taking = 0;
  const out = async (line: string): Promise<void> => {
    expect(++taking).toBe(1);
    await setImmediate();
    taking -= 1;
    said.push(line);
  };
  expect(await auditCommand(['heads'], { live: async () => liveLog(store), out, err: () => undefined })).toBe(0);
  expect(said).toHaveLength(3);
});

test('npm run audit -- export continues from a position of an export, without lines for what it skips', async () => {
  const lines = await exported();
  const file = await inFile('log.ndjson', lines);
  for (const kept of [3, 0]) {
    said = [];
    expect(await audit('export', '--file', file, '--from', lines.at(-1 - kept)?.position ?? '')).toBe(0);
    expect(said.flatMap((text) => text.split('\n'))).toEqual(lines.slice(lines.length - kept).map((line) => JSON.stringify(line)));
  }
});

test('npm run audit prints its usage for invalid arguments', async () => {
  for (const args of [
    [],
    ['dance'],
    ['order'],
    ['heads', 'x'],
    ['order', ORDER, '--at', 'yesterday'],
    ['order', ORDER, '--at', '2026-02-30T10:00Z'],
    ['export', '--from', '-1'],
    ['heads', '--what'],
  ])
    expect(await audit(...args)).toBe(1);
  expect(told.filter((line) => line.startsWith('Usage: npm run audit'))).toHaveLength(8);
});
