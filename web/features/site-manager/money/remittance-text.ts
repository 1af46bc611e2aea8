import { csvText } from '#domain/shared/csv.ts';
import type { RemittanceOutcome, RemittanceRow } from '../admin-types.ts';

export const outcomeText: Readonly<Record<RemittanceOutcome, string>> = {
  matched: 'Matched',
  short: 'Too little',
  over: 'Too much',
  unknown: 'Unknown order',
  duplicate: 'Duplicate',
  notDelivered: 'Not delivered',
};

const rupeesText = (amount: number | null): string => (amount === null ? '' : amount.toFixed(2));

export const remittanceCsv = (rows: readonly RemittanceRow[]): string =>
  csvText([
    ['line', 'order_number', 'outcome', 'expected', 'received'],
    ...rows.map(({ line, orderNumber, outcome, expected, received }) => [
      String(line),
      orderNumber,
      outcomeText[outcome],
      rupeesText(expected),
      rupeesText(received),
    ]),
  ]);
