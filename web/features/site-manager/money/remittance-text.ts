import type { Outcome, RemittanceRow } from '../admin-types.ts';

/** Outcomes in words. */
export const outcomeText: Readonly<Record<Outcome, string>> = {
  matched: 'Matched',
  short: 'Too little',
  over: 'Too much',
  unknown: 'Unknown order',
  duplicate: 'Duplicate',
  notDelivered: 'Not delivered',
};

/** A spreadsheet runs a cell that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const rupeesText = (amount: number | null): string => (amount === null ? '' : amount.toFixed(2));

/** What became of each line, as a file for a spreadsheet. */
export const remittanceCsv = (rows: readonly RemittanceRow[]): string =>
  [
    ['line', 'order_number', 'outcome', 'expected', 'received'],
    ...rows.map(({ line, orderNumber, outcome, expected, received }) => [
      String(line),
      orderNumber,
      outcomeText[outcome],
      rupeesText(expected),
      rupeesText(received),
    ]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');
