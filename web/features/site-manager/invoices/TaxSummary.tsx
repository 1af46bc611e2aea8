import { Fragment } from 'react';
import { getMessage } from '../../../lib/http/api.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { signedText } from '../../../ui/ExplainedAmounts.tsx';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { TableHead } from '../TableHead.tsx';
import { type Days, type TaxedSums, useTaxSummaryQuery } from './invoices-api.ts';

/** Taxable value and tax by state and rate, as the GST return requires them. */
export const TaxSummary = ({ days }: { readonly days: Days }) => {
  // `currentData` is never the sums of other days.
  const { currentData: rows, error, isFetching, refetch } = useTaxSummaryQuery(days);
  const isWide = useMedia('(min-width: 64rem)');
  if (!rows && error && !isFetching)
    return (
      <LoadFailed className="mt-6" onRetry={() => void refetch()}>
        {getMessage(error)}
      </LoadFailed>
    );
  if (!rows)
    return (
      <div aria-busy="true">
        <Status className="sr-only">Loading the summary...</Status>
        <Skeleton className="mt-6 h-64" />
      </div>
    );
  if (rows.length === 0) return <EmptyState title="Nothing was taxed">No invoice or credit note is of these days.</EmptyState>;
  return (
    <>
      <p className="mt-6 max-w-[46rem] text-[0.9375rem] text-clove">
        Invoices less credit notes, each on its own day, by place of supply. Gift wrap is not taxed and left out.
      </p>
      {isWide ? <StateTable rows={rows} /> : <StateCards rows={rows} />}
    </>
  );
};

type RowsProps = { readonly rows: readonly TaxedSums[] };

const amounts = [
  ['Taxable value', 'taxableValue'],
  ['CGST', 'cgst'],
  ['SGST', 'sgst'],
  ['IGST', 'igst'],
] as const;
type Amount = (typeof amounts)[number][1];

const sumRows = (rows: readonly TaxedSums[], amount: Amount): number =>
  rows.reduce((sum, row) => sum + Math.round(row[amount] * 100), 0) / 100;

const NUMBER = 'w-36 text-right! last:pr-0!';
const columns = ['State', { title: 'Rate', className: 'w-20 text-right!' }, ...amounts.map(([title]) => ({ title, className: NUMBER }))];

const StateTable = ({ rows }: RowsProps) => (
  <table className="mt-4 w-full border-t border-ink/80">
    <caption className="sr-only">Tax by state and rate</caption>
    <TableHead columns={columns} />
    <tbody>
      {rows.map((row) => (
        <tr key={`${row.state} ${row.rate}`} className="border-b border-sandal/70 text-[0.9375rem] hover:bg-white">
          <th scope="row" className="py-3 pr-6 text-left font-normal wrap-anywhere">
            {row.state}
          </th>
          <td className="figures py-3 pr-6 text-right">{row.rate}%</td>
          {amounts.map(([title, amount]) => (
            <td key={title} className="figures py-3 pr-6 text-right last:pr-0">
              {signedText(row[amount])}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr className="border-b border-ink/80 text-[0.9375rem] font-medium">
        <th scope="row" colSpan={2} className="py-3 pr-6 text-left">
          All
        </th>
        {amounts.map(([title, amount]) => (
          <td key={title} className="figures py-3 pr-6 text-right last:pr-0">
            {signedText(sumRows(rows, amount))}
          </td>
        ))}
      </tr>
    </tfoot>
  </table>
);

const StateCards = ({ rows }: RowsProps) => (
  <ul className="mt-4 space-y-3">
    <StateCard title="All" amountOf={(amount) => sumRows(rows, amount)} />
    {rows.map((row) => (
      <StateCard key={`${row.state} ${row.rate}`} title={`${row.state} · ${row.rate}%`} amountOf={(amount) => row[amount]} />
    ))}
  </ul>
);

type StateCardProps = { readonly title: string; readonly amountOf: (amount: Amount) => number };

const StateCard = ({ title, amountOf }: StateCardProps) => (
  <li className="rounded-sm border border-sandal bg-white p-5">
    <h3 className="font-medium wrap-anywhere">{title}</h3>
    <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-[0.9375rem]">
      {amounts
        .filter(([, amount]) => amount === 'taxableValue' || amountOf(amount) !== 0)
        .map(([name, amount]) => (
          <Fragment key={name}>
            <dt className="text-clove">{name}</dt>
            <dd className="figures text-right">{signedText(amountOf(amount))}</dd>
          </Fragment>
        ))}
    </dl>
  </li>
);
