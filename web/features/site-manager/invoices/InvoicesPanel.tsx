import { List, Percent } from 'lucide-react';
import { Link } from 'react-router-dom';
import { isWithinState } from '#domain/invoice/invoice.ts';
import { ASSUMED_PLACE } from '#domain/invoice/view.ts';
import { parseDate } from '#domain/shared/time.ts';
import { pages } from '#domain/site/pages.ts';
import { dateText } from '../../../lib/dates.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { signedText } from '../../../ui/ExplainedAmounts.tsx';
import { FileLink } from '../../../ui/FileLink.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { LINES } from '../admin-api.ts';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { InvoiceDays } from './InvoiceDays.tsx';
import { type Days, type InvoiceRow, useInvoicesInfiniteQuery } from './invoices-api.ts';
import { TaxSummary } from './TaxSummary.tsx';

const views = [
  { value: 'list', text: 'List', icon: List },
  { value: 'tax', text: 'By state and rate', icon: Percent },
] as const;

/** Invoices and credit notes of some days, newest first, and their sums for the tax return. */
export const InvoicesPanel = () => {
  const [valueOf, filter] = useFilters();
  const [from, to] = [parseDate(valueOf('from')), parseDate(valueOf('to'))];
  const typed: Days = { ...(from && { from }), ...(to && { to }) };
  const days: Days = from && to && to < from ? { from } : typed;
  const q = valueOf('q');
  const view = valueOf('view') === 'tax' ? 'tax' : 'list';
  return (
    <section aria-label="Invoices">
      <PanelHead title="Invoices">
        {view === 'list' && (
          <SearchBox label="Invoice or order number" q={q} onSearch={(next) => filter({ q: next })} className="sm:w-72" />
        )}
        <DownloadCsv name="invoices" count={undefined} filter={days} />
      </PanelHead>
      <InvoiceDays days={typed} onChoose={(first, last) => filter({ from: first, to: last })} />
      <div className="mt-5">
        <Segments label="View" options={views} chosen={view} onChoose={(next) => filter({ view: next === 'tax' ? next : '' })} />
      </div>
      {view === 'list' ? <InvoiceList days={days} q={q} /> : <TaxSummary days={days} />}
    </section>
  );
};

const InvoiceList = ({ days, q }: { readonly days: Days; readonly q: string }) => {
  const count = usePagesShown(LINES);
  const list = createPagedList(useInvoicesInfiniteQuery({ ...days, ...(q !== '' && { q }) }, count.options), count);
  const isWide = useMedia('(min-width: 75rem)');
  const isWhole = q === '' && !days.from && !days.to;
  return (
    <ListFrame
      list={list}
      loading="Loading invoices..."
      empty={
        isWhole ? (
          <EmptyState title="No invoices yet">An order gets its invoice when it ships.</EmptyState>
        ) : (
          <EmptyState title="No such invoices">
            {q === '' ? 'None was issued on these days.' : 'No invoice of these days has this number.'}
          </EmptyState>
        )
      }
    >
      {(rows) => (isWide ? <InvoicesTable rows={rows} /> : <InvoiceCards rows={rows} />)}
    </ListFrame>
  );
};

const formatTax = ({ cgst, sgst, igst }: InvoiceRow): string => signedText(cgst + sgst + igst);
const taxName = (row: InvoiceRow): string => (isWithinState(row) ? 'CGST\u00a0+\u00a0SGST' : 'IGST');

const columns = [
  { title: 'Number', className: 'w-48' },
  { title: 'Order', className: 'w-36' },
  'Buyer',
  { title: 'Taxable value', className: 'w-36 text-right!' },
  { title: 'Tax', className: 'w-36 text-right!' },
  { title: 'Total', className: 'w-36 text-right!' },
];

const NUMBER = 'figures py-4 pr-6 text-right';
const SMALL = 'block text-[0.8125rem] text-clove';

type RowsProps = { readonly rows: readonly InvoiceRow[] };

const InvoicesTable = ({ rows }: RowsProps) => (
  <table className="mt-6 w-full table-fixed border-t border-ink/80">
    <caption className="sr-only">Invoices and credit notes, the newest first</caption>
    <TableHead columns={columns} />
    <tbody>
      {rows.map((row) => (
        <tr key={row._id} data-row={row._id} className="border-b border-sandal/70 align-top text-[0.9375rem] hover:bg-white">
          <th scope="row" className="py-4 pr-6 text-left font-normal">
            <DocumentLink {...row} />
            <span className={SMALL}>{dateText(row.date)}</span>
          </th>
          <td className="py-4 pr-6">
            <OrderLink {...row} />
          </td>
          <td className="py-4 pr-6 wrap-anywhere">
            {row.buyer.name}
            <span className={SMALL}>{row.placeOfSupply}</span>
            <AssumedPlace {...row} />
          </td>
          <td className={NUMBER}>{signedText(row.taxableValue)}</td>
          <td className={NUMBER}>
            {formatTax(row)}
            <span className={SMALL}>{taxName(row)}</span>
          </td>
          <td className="figures py-4 text-right">{signedText(row.total)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const InvoiceCards = ({ rows }: RowsProps) => (
  <ul className="mt-6 grid gap-3 md:grid-cols-2">
    {rows.map((row) => (
      <li key={row._id} data-row={row._id} className="rounded-sm border border-sandal bg-white p-5">
        <div className="flex items-baseline justify-between gap-3">
          <div>
            <DocumentLink {...row} />
          </div>
          <span className="figures font-medium">{signedText(row.total)}</span>
        </div>
        <p className="mt-2 wrap-anywhere">
          {row.buyer.name}, {row.placeOfSupply}
          <AssumedPlace {...row} />
        </p>
        <p className="figures mt-2 text-[0.875rem] text-clove">
          {dateText(row.date)} · {signedText(row.taxableValue)} and {formatTax(row)} {taxName(row)}
        </p>
        <p className="mt-3">
          Order <OrderLink {...row} />
        </p>
      </li>
    ))}
  </ul>
);

const AssumedPlace = ({ placeOfSupplyAssumed }: InvoiceRow) => placeOfSupplyAssumed && <span className={SMALL}>{ASSUMED_PLACE}</span>;

const OrderLink = ({ orderNumber }: InvoiceRow) => (
  <Link to={`${pages.siteManager}?${new URLSearchParams({ panel: 'orders', q: orderNumber })}`} className="link figures">
    {orderNumber}
  </Link>
);

/** A credit note links to its invoice too. */
const DocumentLink = ({ number, orderId, invoiceNumber, nth }: InvoiceRow) =>
  invoiceNumber === undefined ? (
    <PdfLink kind="Invoice" number={number} href={`/api/order/${orderId}/invoice.pdf`} />
  ) : (
    <>
      <PdfLink kind="Credit note" number={number} href={`/api/order/${orderId}/credit-notes/${nth}.pdf`} />
      <span className={SMALL}>
        Credit note for <PdfLink kind="Invoice" number={invoiceNumber} href={`/api/order/${orderId}/invoice.pdf`} />
      </span>
    </>
  );

type PdfLinkProps = { readonly kind: string; readonly number: string; readonly href: string };

const PdfLink = ({ kind, number, href }: PdfLinkProps) => (
  <FileLink name={`${kind} ${number}`} className="figures" href={href}>
    {number}
  </FileLink>
);
