import type { OtherRules, RecountedSale, SumOfSales, WhatIf } from '#domain/order/what-if.ts';
import { formatRupees, paise } from '#domain/shared/money.ts';

import { viewRules, viewSale, viewSums } from '../audit/what-if/what-if-lines.ts';
import { countText } from './progress-lines.ts';

type Out = (lines: string) => void | Promise<void>;

type Recounted = { readonly rules: OtherRules; readonly sums: WhatIf; readonly differing: AsyncIterable<readonly RecountedSale[]> };

const money = (amount: number): string => formatRupees(paise(amount));

const signed = (difference: number): string => {
  if (difference === 0) return money(0);
  return `${difference < 0 ? '\u2212' : '+'}${money(Math.abs(difference))}`;
};

const formatAmounts = ({ was, wouldBe }: Pick<SumOfSales, 'was' | 'wouldBe'>): string[] => [
  money(was),
  money(wouldBe),
  signed(wouldBe - was),
];

/** Formats columns, of which the first two are aligned to the left. */
const table = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const aligned = (cell: string, column: number): string =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((cells) => cells.map(aligned).join('  ').trimEnd()).join('\n');
};

/** The columns have a fixed width, so that a line is printed before the next one is read. */
const orderLine = (number: string, amounts: readonly string[]): string =>
  [number.padEnd(11), ...amounts.map((amount) => amount.padStart(17))].join('  ');

const AMOUNTS = ['was', 'would be', 'difference'];

const rulesText = ({ rates, charges: { giftWrap, shipping }, from }: OtherRules): string =>
  [
    ...[...rates].map(([hsn, rate]) => `${hsn} at ${rate}%`),
    `gift wrap ${money(giftWrap)}`,
    shipping.threshold === 0 || shipping.fee === 0 ? 'shipping free' : `shipping ${money(shipping.fee)} below ${money(shipping.threshold)}`,
    ...(from === null ? [] : [`for checkouts from ${from} on`]),
  ].join(', ');

const asText = async ({ rules, sums: { all, differing: sum, parts }, differing }: Recounted, out: Out): Promise<void> => {
  await out(`Rules: ${rulesText(rules)}`);
  await out(
    `${countText(sum.orders)} of ${countText(all.orders)} orders would differ. ` +
      `Sales: ${money(all.was)}, would be ${money(all.wouldBe)}, difference ${signed(all.wouldBe - all.was)}`,
  );
  if (sum.orders === 0) return;
  const rows = parts.map((part) => [part.month, part.state, countText(part.orders), ...formatAmounts(part)]);
  await out(`\n${table([['month', 'state', 'orders', ...AMOUNTS], ...rows, ['all', '', countText(sum.orders), ...formatAmounts(sum)]])}\n`);
  await out(orderLine('order', AMOUNTS));
  for await (const sales of differing) await out(sales.map((sale) => orderLine(sale.number, formatAmounts(sale))).join('\n'));
};

/** Writes one document with an order a line, as it is read. */
const asJson = async ({ rules, sums, differing }: Recounted, out: Out): Promise<void> => {
  await out(`${JSON.stringify({ rules: viewRules(rules), ...viewSums(sums) }).slice(0, -1)},"orders":[`);
  let comma = '';
  for await (const sales of differing) {
    await out(comma + sales.map((sale) => JSON.stringify(viewSale(sale))).join(',\n'));
    comma = ',';
  }
  await out(']}');
};

export const reportWhatIf = (recounted: Recounted, json: boolean, out: Out): Promise<void> =>
  json ? asJson(recounted, out) : asText(recounted, out);
