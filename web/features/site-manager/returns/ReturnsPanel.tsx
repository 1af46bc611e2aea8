import { ChevronLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { shortDayText } from '../../../lib/dates.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { dateInIndia } from '#domain/shared/time.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { cx } from '../../../ui/cx.ts';
import { TextButton } from '../../../ui/TextLink.tsx';
import { LINES } from '../admin-api.ts';
import { ListFrame } from '../ListFrame.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { useFirst } from '../use-kept-row.ts';
import { useFilters, usePagesShown } from '../use-panel.ts';
import { isToRefund, ReturnDetails } from './ReturnDetails.tsx';
import { countWaiting } from './ReturnsWaiting.tsx';
import { type ReturnList, returnLists, type ReturnRow, useReturnsInfiniteQuery } from './returns-api.ts';

const titles: Readonly<Record<ReturnList, string>> = {
  waiting: 'Waiting',
  requested: 'To decide',
  accepted: 'To receive',
  to_refund: 'To refund',
  '': 'All',
};

const describeStep = (row: ReturnRow): string => {
  if (row.status === 'requested') return titles.requested;
  if (row.status === 'accepted') return titles.accepted;
  if (isToRefund(row)) return titles.to_refund;
  return row.status === 'refused' ? 'Refused' : 'Received';
};

/** Names what comes back: `Gulab Bagh × 1`. */
export const listBottles = ({ lines, order }: Pick<ReturnRow, 'lines' | 'order'>): string =>
  lines
    .map(
      ({ productId, quantity }) =>
        `${order.items.find(({ product }) => product._id === productId)?.product.name ?? productId} × ${quantity}`,
    )
    .join(', ');

/** Returns by what is to be done: a list, and the chosen one beside it; on phones one after the other. */
export const ReturnsPanel = () => {
  const [valueOf, filter] = useFilters();
  const wanted = valueOf('status');
  const list: ReturnList = wanted === 'all' ? '' : (returnLists.find((each) => each === wanted) ?? 'waiting');
  const pages = usePagesShown(LINES);
  const query = useReturnsInfiniteQuery(list, pages.options);
  const counts = query.data?.pages[0]?.counts;
  const amount = (of: ReturnList): string => {
    if (!counts || of === '') return titles[of];
    return `${titles[of]} ${formatNumber(of === 'waiting' ? countWaiting(counts) : counts[of])}`;
  };
  const options = ([...returnLists, ''] as const).map((value) => ({ value, text: amount(value) }));
  return (
    <section aria-label="Returns">
      <PanelHead title="Returns" count={counts && count(countWaiting(counts), 'waits', 'wait')} />
      <div className="mt-3">
        <Segments
          label="Lists"
          options={options}
          chosen={list}
          onChoose={(value) => filter({ status: value === '' ? 'all' : value, open: '' })}
        />
      </div>
      <ListFrame
        list={createPagedList(query, pages)}
        loading="Loading returns..."
        empty={<EmptyState title="No returns here">What shoppers want to send back comes here, to be decided and received.</EmptyState>}
      >
        {(rows, outdated) => (
          <Rows rows={rows} outdated={outdated} list={list} named={valueOf('open')} onChoose={(open) => filter({ open })} />
        )}
      </ListFrame>
    </section>
  );
};

type RowsProps = {
  readonly rows: readonly ReturnRow[];
  readonly outdated: boolean;
  readonly list: ReturnList;
  readonly named: string;
  readonly onChoose: (id: string) => void;
};

const Rows = ({ rows, outdated, list, named: name, onChoose }: RowsProps) => {
  // Buttons that decide stay those of the return that is read, whatever comes into the list or leaves it.
  const first = useFirst({ rows, outdated }, list, () => name !== '');
  const named = rows.find(({ _id }) => _id === name);
  const shown = name === '' ? rows.find(({ _id }) => _id === first) : named;
  return (
    <div className="mt-3 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:border-t lg:border-ink/80 xl:grid-cols-[21rem_minmax(0,1fr)]">
      <ul className={cx('max-lg:border-t max-lg:border-ink/80 lg:border-r lg:border-sandal', named && 'max-lg:hidden')}>
        {rows.map((row) => (
          <Row key={row._id} row={row} isShown={row === shown} isNamed={row === named} />
        ))}
      </ul>
      {shown && (
        <div className={cx('min-w-0 lg:pt-5 lg:pl-6 xl:pl-8', !named && 'max-lg:hidden')}>
          <TextButton onClick={() => onChoose('')} className="lg:hidden">
            <ChevronLeft className="size-4" strokeWidth={1.5} />
            <span>All returns</span>
          </TextButton>
          <ReturnDetails key={shown._id} row={shown} />
        </div>
      )}
      {!shown && !outdated && (
        <p className="text-[0.9375rem] text-clove max-lg:hidden lg:pt-5 lg:pl-6 xl:pl-8">
          The return that was shown is not in this list. Choose another, or look for it under All.
        </p>
      )}
    </div>
  );
};

type RowProps = { readonly row: ReturnRow; readonly isShown: boolean; readonly isNamed: boolean };

const Row = ({ row, isShown, isNamed }: RowProps) => {
  const params = new URLSearchParams(window.location.search);
  params.set('open', row._id);
  return (
    <li data-row={row._id} className="border-b border-sandal/70">
      <Link
        to={`?${params}`}
        replace
        state={{ stay: true }}
        aria-current={isNamed || undefined}
        className={cx(
          'relative block py-3 pr-4 pl-5',
          isShown ? 'lg:bg-white lg:shadow-[inset_3px_0_0_var(--color-oxblood)]' : 'hover:bg-white',
        )}
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="figures truncate text-[0.9375rem] font-medium tracking-[0.01em]">{row.orderNumber}</span>
          <span className="figures shrink-0 text-xs text-clove">{shortDayText(dateInIndia(row.requestedAt))}</span>
        </span>
        <span className="mt-0.5 line-clamp-2 text-[0.875rem] leading-snug wrap-anywhere text-clove">
          {row.order.shippingAddress.name}. {listBottles(row)}
        </span>
        <span className="mt-1.5 flex flex-wrap items-center gap-x-3 text-[0.8125rem]">
          <span className="figures font-medium text-ink">{moneyText(row.value)}</span>
          <span className={row.status === 'requested' ? 'text-oxblood' : 'text-clove'}>{describeStep(row)}</span>
        </span>
      </Link>
    </li>
  );
};
