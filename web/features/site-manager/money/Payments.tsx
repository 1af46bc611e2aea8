import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { pathWith } from '../../../lib/path-with.ts';
import { momentText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { methodText, paymentStatusText } from '../../../lib/payment-text.ts';
import { useMedia } from '../../../lib/use-media.ts';
import type { MoneyRow } from '../admin-types.ts';
import { useMay } from '../use-may.ts';
import { TableHead } from '../TableHead.tsx';

const NUMBER = 'figures pr-6 text-right';

const columns = [
  { title: 'Order', className: 'w-36' },
  'Payment',
  { title: 'Amount', className: 'w-32 text-right!' },
  { title: 'Received', className: 'w-32 text-right!' },
  { title: 'Method', className: 'w-24' },
  { title: 'When', className: 'w-44' },
  { title: 'Events', className: 'w-20' },
];

type RowsProps = { readonly rows: readonly MoneyRow[] };

/** Payments, with links to their orders and events. */
export const Payments = ({ rows }: RowsProps) => {
  const isWide = useMedia('(min-width: 64rem)');
  return isWide ? <PaymentsTable rows={rows} /> : <PaymentRows rows={rows} />;
};

const PaymentsTable = ({ rows }: RowsProps) => (
  <table className="mt-2 w-full table-fixed border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {rows.map((row) => (
        <tr key={row._id} data-row={row._id} className="h-11 border-b border-sandal/70 text-[0.875rem] hover:bg-white">
          <th scope="row" className="pr-6 text-left font-normal">
            <OrderLink {...row} />
          </th>
          <td className="py-1 pr-6 wrap-anywhere">
            <State {...row} />
          </td>
          <td className={NUMBER}>{moneyText(row.amount)}</td>
          <td className={NUMBER}>{moneyText(row.received)}</td>
          <td className="pr-6 wrap-anywhere">{row.method !== null && methodText(row.method)}</td>
          <td className="figures pr-6 text-clove">{momentText(row.at)}</td>
          <td>
            <EventsLink {...row} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const PaymentRows = ({ rows }: RowsProps) => (
  <ul className="mt-2 border-t border-ink/80">
    {rows.map((row) => (
      <li key={row._id} data-row={row._id} className="border-b border-sandal/70 py-2.5">
        <div className="flex items-baseline justify-between gap-3">
          <OrderLink {...row} />
          <span className="figures font-medium">{moneyText(row.amount)}</span>
        </div>
        <p className="text-[0.875rem] wrap-anywhere">
          <State {...row} />
        </p>
        <div className="flex items-center justify-between gap-3">
          <p className="figures text-[0.8125rem] text-clove">
            {[`${moneyText(row.received)} received`, row.method !== null && methodText(row.method), momentText(row.at)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <EventsLink {...row} />
        </div>
      </li>
    ))}
  </ul>
);

/** Mismatches are shown as their sentences, which are more specific than the status. */
const State = ({ status, mismatch }: MoneyRow) => (
  <>
    {status !== 'mismatch' && paymentStatusText[status]}
    {mismatch !== undefined && <span className="block font-medium text-sindoor">{mismatch}</span>}
  </>
);

const NUMBER_LINK =
  'figures inline-flex min-h-11 items-center font-semibold tracking-[0.01em] whitespace-nowrap hover:text-oxblood lg:min-h-8';

/** Opens the order among the orders. */
export const OrderLink = ({ orderNumber }: Pick<MoneyRow, 'orderNumber'>) =>
  orderNumber === null ? (
    <span className="inline-flex min-h-9 items-center text-clove">No order</span>
  ) : (
    <Link to={pathWith(pages.siteManager, { panel: 'orders', q: orderNumber })} className={NUMBER_LINK}>
      {orderNumber}
    </Link>
  );

/** Opens the audit of the order or, for a payment without an order, the audit of all payments. */
export const EventsLink = ({ orderId, orderNumber }: Pick<MoneyRow, 'orderId' | 'orderNumber'>) =>
  useMay()('audit') && (
    <Link
      to={pathWith(pages.audit, orderId === null ? { category: 'payment' } : { order: orderNumber ?? orderId })}
      aria-label={`Events of ${orderNumber ?? 'all payments'}`}
      className="inline-flex min-h-11 items-center text-[0.875rem] font-medium text-oxblood hover:text-garnet lg:min-h-9"
    >
      <span className="link">Events</span>
    </Link>
  );
