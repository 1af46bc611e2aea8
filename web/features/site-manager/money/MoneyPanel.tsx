import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { pathWith } from '../../../lib/path-with.ts';
import { momentText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { methodText, paymentStatusText } from '../../../lib/payment-text.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { type MoneyList, moneyLists, type MoneyRow } from '../admin-types.ts';
import { LINES, useHealthQuery, usePaymentsInfiniteQuery } from '../admin-api.ts';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { GATEWAY_SILENT } from '../panels/HealthPanel.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { useFilter } from '../use-panel.ts';
import { RemittanceImport } from './RemittanceImport.tsx';

type Words = { readonly text: string; readonly empty: string; readonly help: string };

const words: Readonly<Record<MoneyList, Words>> = {
  due: { text: 'Due', empty: 'Nothing is due', help: 'Prepaid orders that are not paid yet stand here.' },
  paid: { text: 'Paid', empty: 'Nothing is paid yet', help: 'Orders that were paid in full stand here.' },
  with_couriers: {
    text: 'With couriers',
    empty: 'No cash with couriers',
    help: 'Orders paid on delivery that have left and whose cash has not come yet stand here.',
  },
  refunding: { text: 'Refunds under way', empty: 'No refunds under way', help: 'A refund stands here until the gateway has paid it.' },
  mismatch: { text: 'Mismatches', empty: 'No mismatches', help: 'Money that does not add up stands here.' },
};

const options = moneyLists.map((value) => ({ value, text: words[value].text }));

/** Payments grouped by the work they need, and the couriers' files. */
export const MoneyPanel = () => {
  const [wanted, setStatus] = useFilter('status');
  const status = moneyLists.find((each) => each === wanted) ?? 'due';
  const count = useShownCount(LINES);
  const query = usePaymentsInfiniteQuery(status, count.options);
  const list = createPagedList(query, count);
  const owed = query.currentData?.pages[0]?.owed;
  const isWide = useMedia('(min-width: 64rem)');
  const { data: health } = useHealthQuery();
  const { empty, help } = words[status];
  return (
    <section aria-label="Money">
      <PanelHead title="Money">
        <DownloadCsv name="payments" count={undefined} />
      </PanelHead>
      {health?.isGatewayAvailable === false && (
        <Alert kind="warning" className="mt-6">
          {GATEWAY_SILENT}
        </Alert>
      )}
      <RemittanceImport />
      <div className="mt-8">
        <Segments label="Payments" options={options} chosen={status} onChoose={setStatus} />
      </div>
      <ListFrame list={list} loading="Loading payments..." empty={<EmptyState title={empty}>{help}</EmptyState>}>
        {(rows) => (
          <>
            {owed !== undefined && (
              <p className="mt-6">
                Couriers owe <span className="figures font-medium">{moneyText(owed)}</span> in all.
              </p>
            )}
            {isWide ? <PaymentsTable rows={rows} /> : <PaymentCards rows={rows} />}
          </>
        )}
      </ListFrame>
    </section>
  );
};

const NUMBER = 'figures py-4 pr-6 text-right';

const columns = [
  { title: 'Order', className: 'w-40' },
  'Payment',
  { title: 'Amount', className: 'w-32 text-right!' },
  { title: 'Received', className: 'w-32 text-right!' },
  { title: 'Method', className: 'w-24' },
  { title: 'When', className: 'w-44' },
  { title: 'Events', className: 'w-20' },
];

type RowsProps = { readonly rows: readonly MoneyRow[] };

const PaymentsTable = ({ rows }: RowsProps) => (
  <table className="mt-6 w-full table-fixed border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {rows.map((row) => (
        <tr key={row._id} data-row={row._id} className="border-b border-sandal/70 align-top text-[0.9375rem] hover:bg-white">
          <th scope="row" className="py-4 pr-6 text-left font-normal">
            <OrderLink {...row} />
          </th>
          <td className="py-4 pr-6 wrap-anywhere">
            <State {...row} />
          </td>
          <td className={NUMBER}>{moneyText(row.amount)}</td>
          <td className={NUMBER}>{moneyText(row.received)}</td>
          <td className="py-4 pr-6 wrap-anywhere">{row.method !== null && methodText(row.method)}</td>
          <td className="figures py-4 pr-6 text-clove">{momentText(row.at)}</td>
          <td className="py-4">
            <EventsLink {...row} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const PaymentCards = ({ rows }: RowsProps) => (
  <ul className="mt-6 space-y-3">
    {rows.map((row) => (
      <li key={row._id} data-row={row._id} className="rounded-sm border border-sandal bg-white p-5">
        <div className="flex items-baseline justify-between gap-3">
          <OrderLink {...row} />
          <span className="figures font-medium">{moneyText(row.amount)}</span>
        </div>
        <p className="mt-2 wrap-anywhere">
          <State {...row} />
        </p>
        <p className="figures mt-2 text-[0.875rem] text-clove">
          {[`${moneyText(row.received)} received`, row.method !== null && methodText(row.method), momentText(row.at)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="mt-3">
          <EventsLink {...row} />
        </p>
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

const OrderLink = ({ orderNumber }: MoneyRow) =>
  orderNumber === null ? (
    <span className="text-clove">No order</span>
  ) : (
    <Link to={pathWith(pages.siteManager, { panel: 'orders', q: orderNumber })} className="link figures">
      {orderNumber}
    </Link>
  );

/** Opens the audit of the order or, for a payment without an order, the audit of all payments. */
const EventsLink = ({ orderId, orderNumber }: MoneyRow) => (
  <Link
    to={pathWith(pages.audit, orderId === null ? { category: 'payment' } : { order: orderNumber ?? orderId })}
    aria-label={`Events of ${orderNumber ?? 'all payments'}`}
    className="link"
  >
    Events
  </Link>
);
