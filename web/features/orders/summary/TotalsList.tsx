import type { Totals } from '#domain/order/totals.ts';
import { formatRupees, ZERO } from '#domain/shared/money.ts';
import { taxRows } from '../../../lib/tax-rows.ts';

type Row = { readonly label: string; readonly text: string };

const FREE = 'Free';
const row = (label: string, text: string): Row => ({ label, text });
const giftWrapRow = ({ giftWrap }: Totals): readonly Row[] => (giftWrap > ZERO ? [row('Gift Wrap', formatRupees(giftWrap))] : []);
const discountRow = ({ discount }: Totals): readonly Row[] => (discount > ZERO ? [row('Discount', `−${formatRupees(discount)}`)] : []);

export const rowsBefore = (totals: Totals): readonly Row[] => [
  row('Subtotal', formatRupees(totals.subtotal)),
  row('Shipping', totals.shipping > ZERO ? formatRupees(totals.shipping) : FREE),
  ...discountRow(totals),
  ...giftWrapRow(totals),
  ...taxRows(totals),
];

export const rowsAfter = (totals: Totals): readonly Row[] => [
  row('Subtotal', formatRupees(totals.subtotal)),
  ...discountRow(totals),
  ...giftWrapRow(totals),
  ...taxRows(totals, 'Taxes'),
];

type TotalsListProps = { readonly rows: readonly Row[]; readonly total: Totals['total'] };

export const TotalsList = ({ rows, total }: TotalsListProps) => (
  <dl className="figures text-[0.9375rem]">
    {rows.map(({ label, text }) => (
      <div key={label} className="mb-3 flex justify-between gap-4">
        <dt className="text-clove">{label}</dt>
        <dd className={text === FREE ? 'text-khus-deep' : undefined}>{text}</dd>
      </div>
    ))}
    <div className="mt-5 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-sandal pt-5">
      <dt className="font-medium">Total</dt>
      <dd className="text-[1.375rem] font-medium">{formatRupees(total)}</dd>
    </div>
  </dl>
);
