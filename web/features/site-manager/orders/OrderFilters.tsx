import { LayoutGrid, Rows3, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { DAYS_TO_SHIP, handlingLists, nextSteps, type NextStep, returnSteps } from '#domain/order/next-steps.ts';
import { orderStatuses } from '#domain/order/rules.ts';
import { formatNumber } from '../../../lib/format.ts';
import { readChoice, writeChoice } from '../../../lib/session-storage.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { cx } from '../../../ui/cx.ts';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { useFilters } from '../use-panel.ts';
import { type OrderFilter, useNextCountsQuery, useOrdersInfiniteQuery } from '../admin-api.ts';
import { capitalised } from '../family-text.ts';

/** Drafts (`created`) are not orders yet. */
const statuses = orderStatuses.filter((status) => status !== 'created');

const listTitles: Readonly<Record<NextStep, string>> = {
  confirm: 'To confirm',
  pay: 'To pay',
  pack: 'To pack',
  ship: 'To ship',
  overdue: 'Overdue',
  decide: 'Returns to decide',
  receive: 'To receive',
  refund: 'To refund',
};
export const OVERDUE = `Not shipped ${DAYS_TO_SHIP} days after the order was placed, or not delivered when its window ended.`;

const nothingNext: Readonly<Record<NextStep, string>> = {
  confirm: 'Every order that may go on is confirmed.',
  pay: 'Nobody has yet to pay.',
  pack: 'All that was confirmed is packed.',
  ship: 'All that was packed has left the house.',
  overdue: 'Everything is in time.',
  decide: 'Every return is decided.',
  receive: 'No return is on its way back.',
  refund: 'No cash has to be sent back.',
};

/** Returns what the address asks for. */
export const useOrderFilter = (): readonly [OrderFilter, ReturnType<typeof useFilters>[1]] => {
  const [valueOf, filter] = useFilters();
  const status = statuses.find((each) => each === valueOf('status'));
  const next = nextSteps.find((each) => each === valueOf('next'));
  const q = valueOf('q');
  const sort = valueOf('sort') === 'oldest' ? ('oldest' as const) : undefined;
  return [{ ...(next && { next }), ...(status && { status }), ...(q !== '' && { q }), ...(sort && { sort }) }, filter];
};

type View = 'table' | 'cards';
const VIEW = 'desk-orders-view';
/** Cards show so many orders well; with more, wide screens begin with the table. */
const FEW = 12;

/** Returns the chosen view, which the URL and this browser keep. Without a choice it depends on the screen and on how many orders there are. */
export const useView = (): readonly [View, (view: View) => void] => {
  const [valueOf, filter] = useFilters();
  const isWide = useMedia('(min-width: 64rem)');
  const { data } = useOrdersInfiniteQuery({});
  const [first] = data?.pages ?? [];
  const areMany = (first?.rows.length ?? 0) > FEW || first?.next !== undefined;
  const kept = [valueOf('view'), readChoice(VIEW)].find((view): view is View => view === 'table' || view === 'cards');
  const choose = (view: View): void => {
    writeChoice(VIEW, view);
    filter({ view });
  };
  return [kept ?? (isWide && areMany ? 'table' : 'cards'), choose];
};

/** Says why a list is empty. */
export const NoOrders = ({ question: { next, status, q } }: { readonly question: OrderFilter }) => {
  if (next && !status && q === undefined) return <EmptyState title={`${listTitles[next]}: nothing`}>{nothingNext[next]}</EmptyState>;
  if (!next && !status && q === undefined)
    return <EmptyState title="No orders yet">The first one shows here as soon as it is placed.</EmptyState>;
  return <EmptyState title="No such orders">Nothing here has this state and this number, name or e-mail address.</EmptyState>;
};

type ListsProps = {
  readonly chosen: NextStep | undefined;
  readonly total: number | undefined;
  readonly onChoose: (step: NextStep | undefined) => void;
};

/** The lists of what is to be done, with counts. The first is everything. */
export const OrderLists = ({ chosen, total, onChoose }: ListsProps) => {
  const { data: counts } = useNextCountsQuery();
  const pill = (step: NextStep | undefined, text: string, number: number | undefined) => (
    <button
      key={text}
      type="button"
      aria-pressed={step === chosen}
      title={step === 'overdue' ? OVERDUE : undefined}
      onClick={() => onChoose(step)}
      className={cx(
        'inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full px-3.5 text-[0.875rem] whitespace-nowrap lg:min-h-9 lg:px-3',
        step === chosen ? 'bg-ink text-ivory' : 'text-clove hover:bg-ink/5 hover:text-ink',
      )}
    >
      <span>{text}</span>{' '}
      <span
        className={cx(
          'figures min-w-3 text-xs',
          step === chosen ? 'text-mist' : step === 'overdue' && number !== undefined && number > 0 && 'font-medium text-sindoor',
        )}
      >
        {number === undefined ? '' : formatNumber(number)}
      </span>
    </button>
  );
  return (
    <div
      role="group"
      aria-label="Lists of orders"
      className="no-bar -mx-gutter mt-3 flex items-center gap-0.5 overflow-x-auto px-gutter lg:mx-0 lg:flex-wrap lg:px-0"
    >
      {pill(undefined, 'All', total)}
      <span className="mx-2 h-5 w-px shrink-0 bg-sandal" aria-hidden="true" />
      {handlingLists.map((step) => pill(step, listTitles[step], counts?.[step]))}
      <span className="mx-2 h-5 w-px shrink-0 bg-sandal" aria-hidden="true" />
      {returnSteps.map((step) => pill(step, listTitles[step], counts?.[step]))}
    </div>
  );
};

type ToolsProps = {
  readonly question: OrderFilter;
  readonly total: number | undefined;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly onFilter: ReturnType<typeof useFilters>[1];
};

const views = [
  ['table', Rows3, 'Table'],
  ['cards', LayoutGrid, 'Cards'],
] as const;

/** Search, view, status and file. */
export const OrderTools = ({ question: { status, q = '' }, total, view, onView, onFilter }: ToolsProps) => {
  const [isMore, setMore] = useState(false);
  return (
    <>
      <SearchBox
        label="Number, name or e-mail"
        q={q}
        onSearch={(text) => onFilter({ q: text })}
        className="min-w-0 flex-1 lg:w-68 lg:flex-none"
      />
      <div
        role="group"
        aria-label="View"
        className="inline-flex h-12 shrink-0 items-stretch overflow-hidden rounded-xs bg-white shadow-[inset_0_0_0_1px_var(--color-teak)]"
      >
        {views.map(([name, Icon, text]) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === view}
            onClick={() => onView(name)}
            className={cx(
              'inline-flex min-w-11 items-center justify-center gap-2 text-[0.875rem] -outline-offset-2 lg:px-3',
              name === view ? 'bg-ink text-ivory' : 'text-clove hover:bg-ink/5 hover:text-ink',
            )}
          >
            <Icon className="size-4" strokeWidth={1.5} />
            <span className="max-lg:sr-only">{text}</span>
          </button>
        ))}
      </div>
      <button
        type="button"
        aria-label="Status, CSV"
        aria-expanded={isMore}
        onClick={() => setMore(!isMore)}
        className="inline-flex size-12 items-center justify-center rounded-xs border border-teak bg-white lg:hidden"
      >
        <SlidersHorizontal className="size-[1.125rem]" strokeWidth={1.5} />
      </button>
      <div className={cx('flex items-center gap-2 max-lg:w-full', !isMore && 'max-lg:hidden')}>
        <select
          aria-label="Status"
          value={status ?? ''}
          onChange={({ target }) => onFilter({ status: target.value })}
          className="h-12 w-36 rounded-xs border border-teak bg-white px-3 text-[0.9375rem] hover:border-ink max-lg:flex-1"
        >
          <option value="">Any status</option>
          {statuses.map((value) => (
            <option key={value} value={value}>
              {capitalised(value)}
            </option>
          ))}
        </select>
        <DownloadCsv name="orders" count={total} />
      </div>
    </>
  );
};
