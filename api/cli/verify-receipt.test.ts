import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ReceiptPolicy } from '#domain/receipt/receipt.ts';

import { keepPolicy, readKeptPolicy } from '../transparency/receipt-policy.ts';
import { auditCommand } from './audit.ts';

const vector = (file: string): string => fileURLToPath(new URL(`../transparency/vectors/${file}`, import.meta.url));
const POLICY = vector('index.json');
const ORDER = vector('valid-order.tlog-proof');

let folder: string;
let said: string[];
let told: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ruhani-receipt-'));
  [said, told] = [[], []];
});
afterEach(() => rm(folder, { recursive: true }));

/** No database can be opened. */
const live = async (): Promise<never> => {
  throw new Error('There is no database here');
};
const audit = (...args: readonly string[]): Promise<number> =>
  auditCommand(args, {
    live,
    shopPolicy: () => readKeptPolicy(folder),
    out: (line) => void said.push(line),
    err: (line) => told.push(line),
  });

test('a receipt is proved without a database, and says what was bought', async () => {
  expect(await audit('receipt', ORDER, '--policy', POLICY)).toBe(0);
  expect(told).toEqual([]);
  expect(said.join('\n')).toBe(`This receipt is proved
This order, with these lines and prices, stands in the shop’s log. The events below were not changed since the log was signed. Later events of the order are not in this receipt. The times of the events are those of the shop’s clock.
The witnesses named below saw this log at the times that they give, and saw that it only grew.
It is not proved that the order was paid, that the goods were sent, or that the shop keeps no second log under another key.

  Order        RH-4WPDX9CT
  Total        ₹11,072.00
  Payment      cash on delivery
  Log          ruhani.example/log
  Place in it  entry 256 of 300
  Key          edac54aa

What was ordered
  Perfume             Qty  Price      Amount
  Oud Saffron Majlis  2    ₹3,450.00  ₹6,900.00
  Ruh Gulab           1    ₹2,450.00  ₹2,450.00
  Subtotal                            ₹9,350.00
  Tax 18 %                            ₹1,683.00
  Gift wrap                           ₹39.00
  Total                               ₹11,072.00

What happened
  Event            Time
  Order created    14 November 2026 at 5:30 pm
  Order placed     14 November 2026 at 5:30 pm
  Order confirmed  14 November 2026 at 5:30 pm
  Order shipped    14 November 2026 at 5:30 pm

Who else signed the log
  Witness                Time
  witness.example/north  14 November 2026 at 5:36 pm
  witness.example/east   14 November 2026 at 5:36 pm
  witness.example/south  14 November 2026 at 5:36 pm`);
});

test('a forged receipt is not proved, with the reason', async () => {
  expect(await audit('receipt', vector('chain-price-changed.tlog-proof'), '--policy', POLICY)).toBe(1);
  expect(said.join('\n')).toBe(`This receipt is not proved
Event 1 in it was changed, or one before it is missing or does not belong there.
Do not rely on it. If the shop gave you this file, keep it: it shows that something is wrong there.

  Reason  chain`);
});

test('bytes that are no text are no receipt', async () => {
  await writeFile(path.join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]));
  expect(await audit('receipt', path.join(folder, 'bytes'), '--policy', POLICY)).toBe(1);
  expect(said[0]).toContain('Reason  malformed');
});

test('the shop’s own policy is taken from DATA_DIR, and another key from --key', async () => {
  expect(await audit('receipt', ORDER)).toBe(1);
  expect(told.shift()).toBe('There is no key to verify with: give --key, a line of /log/key of the shop that you trust, or --policy');

  const { policy }: { policy: ReceiptPolicy } = JSON.parse(await readFile(POLICY, 'utf8'));
  const rule = { origin: 'ruhani.example/log', from: 0, witnesses: policy.witnesses, quorum: 3 };
  await keepPolicy(folder, { ...policy, quorum: 4 });
  expect(await audit('receipt', ORDER)).toBe(1);
  expect(said.pop()).toContain('Reason  witnesses');
  await keepPolicy(folder, { ...policy, quorum: 4, earlier: [rule] });
  expect(await audit('receipt', ORDER)).toBe(0);
  await keepPolicy(folder, { ...policy, quorum: 3, earlier: [rule, { ...rule, from: 300, quorum: 4 }] });
  expect(await audit('receipt', ORDER)).toBe(1);
  expect(said.pop()).toContain('Reason  witnesses');

  const key = 'ruhani.example/log+edac54aa+';
  expect(await audit('receipt', ORDER, '--key', key)).toBe(1);
  expect(said.pop()).toContain('A key that the receipt is verified with is not readable');
});

test.each([
  [['receipt'], 'receipt takes one name'],
  [['receipt', 'a', '--file', 'b'], 'receipt takes no --file, --heads, --at or --from'],
  [['receipt', 'a', '--save'], 'receipt takes no --verify or --save'],
  [['receipt', 'a', '--key', 'k', '--policy', 'p'], 'Give either --key or --policy'],
  [['heads', '--key', 'k'], '--key and --policy belong to receipt'],
])('%j is refused', async (args, message) => {
  expect(await audit(...args)).toBe(1);
  expect(told[0]).toBe(message);
});

test('a file that is missing, or no policy, is named', async () => {
  expect(await audit('receipt', path.join(folder, 'none'), '--policy', POLICY)).toBe(1);
  expect(told.pop()).toContain('no such file');
  expect(await audit('receipt', ORDER, '--policy', ORDER)).toBe(1);
  expect(told.pop()).toBe(`${ORDER} is no policy: it has to be {"logs":[<vkeys>],"witnesses":[<vkeys>],"quorum":<number>}`);
});
