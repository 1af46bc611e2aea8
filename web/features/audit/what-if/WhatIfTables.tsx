import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { momentText } from '../../../lib/dates.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { WhatIfResult } from '../audit-api.ts';
import { orderPath } from '../audit-paths.ts';
import type { WhatIfAmounts } from '../audit-types.ts';

const signedText = (difference: number): string =>
  `${difference < 0 ? '\u2212' : difference > 0 ? '+' : ''}${moneyText(Math.abs(difference))}`;

const onWideOnly = 'max-md:hidden';

type Head = { readonly title: string; readonly className?: string };

const left = 'py-2 pr-4 text-left font-medium';
const right = 'py-2 pl-4 text-right font-medium';
const amountHeads: readonly Head[] = [
  { title: 'Was', className: `${right} ${onWideOnly}` },
  { title: 'Would be', className: `${right} ${onWideOnly}` },
  { title: 'Difference', className: right },
];
const monthHeads: readonly Head[] = [{ title: 'Month' }, { title: 'State' }, { title: 'Orders', className: right }];
const orderHeads: readonly Head[] = [{ title: 'Order' }, { title: 'Placed', className: `${left} ${onWideOnly}` }, { title: 'State' }];

export const WhatIfTables = ({ result }: { readonly result: WhatIfResult }) => {
  const { all, differing, rows, first, csv } = result;
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-8">
      <Alert kind="success">
        {differing.orders === 0
          ? 'Nothing would differ'
          : `${formatNumber(differing.orders)} of ${count(all.orders, 'order')} would differ`}
        . Sales of {moneyText(all.was)} would be {moneyText(all.wouldBe)}: {signedText(all.difference)}.
      </Alert>
      {differing.orders > 0 && (
        <>
          <Amounts caption="By month of placing and state of delivery" heads={monthHeads}>
            {rows.map((row) => (
              <tr key={`${row.month} ${row.state}`} className="border-b border-sandal/60 align-top">
                <td className="figures py-2 pr-4 whitespace-nowrap">{row.month}</td>
                <th scope="row" className="py-2 pr-4 text-left font-normal wrap-break-word">
                  {row.state}
                </th>
                <td className="figures py-2 text-right">{formatNumber(row.orders)}</td>
                <AmountCells {...row} />
              </tr>
            ))}
            <tr className="border-b border-ink/80 font-medium">
              <th scope="row" colSpan={2} className="py-2 text-left font-medium">
                All
              </th>
              <td className="figures py-2 text-right">{formatNumber(differing.orders)}</td>
              <AmountCells {...differing} />
            </tr>
          </Amounts>
          <div>
            <Amounts caption="Order by order" heads={orderHeads}>
              {first.map((order) => (
                <tr key={order.orderNumber} className="border-b border-sandal/60 align-top">
                  <th scope="row" className="py-2 pr-4 text-left font-normal">
                    <Link to={orderPath(order.orderNumber)} className="link figures whitespace-nowrap">
                      {order.orderNumber}
                    </Link>
                    <span className="figures block text-xs text-clove md:hidden">{momentText(order.placedAt)}</span>
                  </th>
                  <td className={`figures py-2 pr-4 whitespace-nowrap text-clove ${onWideOnly}`}>{momentText(order.placedAt)}</td>
                  <td className="py-2 pr-4 wrap-break-word">{order.state}</td>
                  <AmountCells {...order} />
                </tr>
              ))}
            </Amounts>
            <div className="mt-4 flex flex-wrap items-center gap-4">
              <Button kind="outline" onClick={() => saveFile('ruhani-what-if.csv', 'text/csv', csv)}>
                <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
                Download CSV
              </Button>
              {differing.orders > first.length && (
                <p className="text-[0.875rem] text-clove">
                  And {count(differing.orders - first.length, 'more order')}, which the file has too.
                </p>
              )}
            </div>
          </div>
        </>
      )}
    </div>
  );
};

/** On a phone the amounts are shown below their difference. */
const AmountCells = ({ was, wouldBe, difference }: WhatIfAmounts) => (
  <>
    <td className={`figures py-2 pl-4 text-right ${onWideOnly}`}>{moneyText(was)}</td>
    <td className={`figures py-2 pl-4 text-right ${onWideOnly}`}>{moneyText(wouldBe)}</td>
    <td className="figures py-2 pl-4 text-right font-medium whitespace-nowrap">
      {signedText(difference)}
      <span className="block text-xs font-normal text-clove md:hidden">{moneyText(was)}</span>
      <span className="block text-xs font-normal text-clove md:hidden">→ {moneyText(wouldBe)}</span>
    </td>
  </>
);

type AmountsProps = { readonly caption: string; readonly heads: readonly Head[]; readonly children: ReactNode };

const Amounts = ({ caption, heads, children }: AmountsProps) => (
  <table className="w-full border-t border-ink/80 text-[0.9375rem]">
    <caption className="pb-3 text-left font-medium">{caption}</caption>
    <thead>
      <tr className="border-b border-sandal text-[0.8125rem] text-clove">
        {[...heads, ...amountHeads].map(({ title, className = left }) => (
          <th key={title} scope="col" className={className}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
