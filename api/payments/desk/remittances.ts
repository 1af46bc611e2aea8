import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { rupees } from '#domain/shared/money.ts';
import { maxPosition, type LogPosition } from '#domain/event-store.ts';
import { type OrderWithCash } from '#projections/orders/desk-payment-queries.ts';

import type { Execute, RequestMetadata } from '../../command-handler/execute.ts';
import type { Shop } from '../../shop.ts';
import type { Remitted } from './remittance-file.ts';

/** Rows worked on at a time: enough to share the commits of the store. */
const AT_ONCE = 50;

const outcomes = ['matched', 'short', 'over', 'unknown', 'duplicate', 'notDelivered'] as const;
type Outcome = (typeof outcomes)[number];

type Row = {
  readonly line: number;
  readonly orderNumber: string;
  readonly outcome: Outcome;
  /** The amount is in rupees; it is null when the order is unknown. */
  readonly expected: number | null;
  readonly received: number;
};

export type Remittance = Readonly<Record<Outcome, number>> & { readonly rows: readonly Row[] };

type Cash = Pick<NonNullable<OrderWithCash['cash']>, 'amount' | 'reference' | 'file'>;

/** Cash that was booked before files had an id is compared with the row alone. */
const compare = ({ amount, reference }: Remitted, { total }: OrderWithCash, cash: Cash, file: string): Outcome => {
  if (cash.amount !== amount || cash.reference !== reference || (cash.file ?? file) !== file) return 'duplicate';
  if (amount === total) return 'matched';
  return amount < total ? 'short' : 'over';
};

type Parts = Pick<Shop, 'now'> & {
  readonly execute: Execute;
  readonly metadata: RequestMetadata;
  /** If true, the answer says what would be booked, and nothing is booked. */
  readonly isDryRun: boolean;
};
type Judging = Parts & { readonly file: string };

/** Identifies a file by its cells, so that the same file saved by another program is the same. */
const identifyFile = (rows: readonly Remitted[]): string => createHash('sha256').update(JSON.stringify(rows)).digest('base64url');

type Booked = { readonly outcome: Outcome; readonly position?: LogPosition | undefined };

const book = async (row: Remitted, of: OrderWithCash, { execute, metadata, now, file }: Judging): Promise<Booked> => {
  const { amount, reference, collectedOn } = row;
  const command = { type: 'CollectCash', bill: of, amount, reference, file, collectedOn, now: now() } as const;
  const { state, position } = await execute(payment, paymentStream(of.id), command, metadata, { isNew: !of.hasPayment });
  // Another call may have booked the cash first.
  return { outcome: compare(row, of, state.cash ?? row, file), position };
};

/** Decides a row from the read model, whose answer is final: a delivered order stays delivered and booked cash stays booked. */
const judge = async (row: Remitted, of: OrderWithCash | undefined, isFirst: boolean, parts: Judging): Promise<Booked> => {
  if (of?.method !== 'COD') return { outcome: 'unknown' };
  if (!isFirst) return { outcome: 'duplicate' };
  if (of.cash) return { outcome: compare(row, of, of.cash, parts.file) };
  if (!of.isDelivered) return { outcome: 'notDelivered' };
  return parts.isDryRun ? { outcome: compare(row, of, row, parts.file) } : book(row, of, parts);
};

/**
 * Books each row whose order is delivered and whose cash is not booked yet. The same file sent again gives the same answer: of the rows of
 * one order only the first is booked. A row whose cash was booked from this file gets the answer that it got then; every other row of a
 * booked order is a duplicate. Stops at the first error; what was booked before it stays booked.
 */
export const bookRemittance = async (
  rows: readonly Remitted[],
  orders: ReadonlyMap<string, OrderWithCash>,
  parts: Parts,
): Promise<{ readonly remittance: Remittance; readonly position: LogPosition | undefined }> => {
  const firstLines = new Map<string, number>();
  for (const { orderNumber, line } of rows) {
    const key = orderNumber.toLowerCase();
    if (!firstLines.has(key)) firstLines.set(key, line);
  }
  const judging = { ...parts, file: identifyFile(rows) };
  const judgeRow = async (row: (typeof rows)[number]) => {
    const { line, orderNumber, amount } = row;
    const key = orderNumber.toLowerCase();
    const of = orders.get(key);
    const { outcome, position } = await judge(row, of, firstLines.get(key) === line, judging);
    const expected = of && outcome !== 'unknown' ? rupees(of.total) : null;
    return { row: { line, orderNumber, outcome, expected, received: rupees(amount) }, position };
  };
  const judged = await pMap(rows, judgeRow, { concurrency: AT_ONCE });
  const counts = Object.fromEntries(outcomes.map((each) => [each, judged.filter(({ row }) => row.outcome === each).length]));
  // `counts` has an entry for each outcome.
  return {
    remittance: { ...(counts as Record<Outcome, number>), rows: judged.map(({ row }) => row) },
    position: maxPosition(judged.map(({ position }) => position)),
  };
};
