import { skipToken } from '@reduxjs/toolkit/query';
import { LayoutGrid, Rows3, SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { DAYS_TO_SHIP, handlingLists, nextSteps, type NextStep, returnSteps } from '#domain/order/next-steps.ts';
import { orderStatuses } from '#domain/order/rules.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { createPagedList, MOST_AT_ONCE } from '../../../lib/paged-list.ts';
import { readChoice, writeChoice } from '../../../lib/session-storage.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { useUnloadWarning } from '../../../lib/use-unload-warning.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { cx } from '../../../ui/cx.ts';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import type { AdminStore } from '../admin-store.ts';
import { Count } from '../Count.tsx';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { useDeskKeys } from '../use-desk-keys.ts';
import { useMay } from '../use-may.ts';
import { useFilters, usePagesShown } from '../use-panel.ts';
import {
  CARDS,
  MOST_SELECTED,
  type OrderFilter,
  ROWS,
  useLazyWholeListQuery,
  useMarkPackedMutation,
  useNextCountsQuery,
  useOrderByNumberQuery,
  useOrdersInfiniteQuery,
} from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { capitalised } from '../family-text.ts';
import { AdminOrderCard, type OrderTask } from './AdminOrderCard.tsx';
import { BatchProgress } from './batch/BatchProgress.tsx';
import { type Batch, batchStopped, countOutcomes, type Job, resultsSeen, runBatch } from './batch/batch-slice.ts';
import { isTyped, shipmentSheetSlice } from './batch/shipment-sheet.ts';
import { ShipTable } from './batch/ShipTable.tsx';
import { EmailDialog } from './EmailDialog.tsx';
import { type Deed, deedWords, nextDeed, sharedDeeds } from './next-deed.ts';
import { OrderDrawer } from './OrderDrawer.tsx';
import { OrdersTable } from './OrdersTable.tsx';
import { CashDialog, CashRefundDialog, RefundDialog } from './PaymentDialogs.tsx';
import { ShipmentDialog } from './OrderShipment.tsx';
import { papersOf, saveOrdersCsv, SelectionBar, TOO_MANY_PAPERS } from './SelectionBar.tsx';
import { TransitionDialog } from './TransitionDialog.tsx';
import { useSelection } from './use-selection.ts';
import { useStillRows } from './use-still-rows.ts';

const { ordersChosen, parcelsSent, sheetEmptied } = shipmentSheetSlice.actions;

type Task = OrderTask & { readonly order: AdminOrder };

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
const OVERDUE = `Not shipped ${DAYS_TO_SHIP} days after the order was placed, or not delivered when its window ended.`;

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

const useOrderFilter = (): readonly [OrderFilter, ReturnType<typeof useFilters>[1]] => {
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
const useView = (): readonly [View, (view: View) => void] => {
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

/** What waits for staff. */
export const OrdersWaiting = () => {
  const { data } = useNextCountsQuery();
  return <Count count={data && data.confirm + data.pack + data.ship} of="to do" />;
};

type OrdersPanelProps = { readonly total: number | undefined };

/** Placed orders. `total` counts all of them, whatever the search. What runs for many of them, and its results, take the list's place. */
export const OrdersPanel = (props: OrdersPanelProps) => {
  const [valueOf, filter] = useFilters();
  const batch = useSelector(({ batch: running }: ReturnType<AdminStore['getState']>) => running);
  const dispatch = useDispatch<AdminStore['dispatch']>();
  const notify = useNotify();
  const toShip = useSelector(({ shipmentSheet }: ReturnType<AdminStore['getState']>) => shipmentSheet);
  const show = (screen: string) => filter({ batch: screen });
  /** Says what still runs, and returns whether anything does. */
  const refuseWhileRunning = (): boolean => {
    if (!batch?.isRunning) return false;
    const running = `${deedWords[batch.deed].doing} ${count(batch.rows.length, 'order')}`;
    notify({ kind: 'failure', message: `${running} still runs, so nothing else was begun. Begin this after it.` });
    return true;
  };
  const run = (deed: Deed, jobs: readonly Job[]): void => {
    if (refuseWhileRunning()) return;
    void dispatch(runBatch(deed, jobs));
    show('run');
  };
  const begin = (deed: Deed, orders: readonly AdminOrder[]): void => {
    if (deed !== 'ship')
      return run(
        deed,
        orders.map((order) => ({ order })),
      );
    if (refuseWhileRunning()) return;
    dispatch(ordersChosen(orders));
    show('ship');
  };
  const ship = (jobs: readonly Job[]): void => {
    run('ship', jobs);
    if (!batch?.isRunning) dispatch(parcelsSent());
  };
  const goOn = (deed: Deed, { rows }: Batch): void =>
    begin(
      deed,
      rows.flatMap(({ order, outcome }) => (outcome.state === 'done' ? [order] : [])),
    );
  const isShown = valueOf('batch') === 'run' && batch !== null;
  const isUnseen = batch !== null && !batch.isRunning && !batch.isSeen;
  useEffect(() => {
    if (isShown && isUnseen) dispatch(resultsSeen());
  }, [isShown, isUnseen, dispatch]);

  const isSheetTyped = isTyped(toShip);
  useUnloadWarning(isSheetTyped);

  if (valueOf('batch') === 'ship' && toShip.orders.length > 0) return <ShipTable onBack={() => show('')} onShip={ship} />;
  if (isShown)
    return (
      <BatchProgress
        batch={batch}
        onStop={() => dispatch(batchStopped())}
        onBack={() => show('')}
        onOpen={(order) => filter({ batch: '', order })}
        onNext={(deed) => goOn(deed, batch)}
        onAgain={() =>
          run(
            batch.deed,
            batch.rows.filter(({ outcome }) => outcome.state !== 'done'),
          )
        }
      />
    );
  return (
    <OrdersList {...props} onDeed={begin}>
      {batch && (batch.isRunning || isUnseen) && <BatchNotice batch={batch} />}
      {isSheetTyped && (
        <ListNotice text={`${count(toShip.orders.length, 'order')} to ship: what you typed is kept.`} onShow={() => show('ship')}>
          <NoticeButton onClick={() => dispatch(sheetEmptied())}>Discard</NoticeButton>
        </ListNotice>
      )}
    </OrdersList>
  );
};

/** Leads to a batch that runs, or whose results nobody has seen. */
const BatchNotice = ({ batch }: { readonly batch: Batch }) => {
  const { done, failed, stopped, of } = countOutcomes(batch);
  const [, filter] = useFilters();
  const { doing, failed: notDone } = deedWords[batch.deed];
  const parts = [
    `${done} of ${of} done`,
    ...(failed > 0 ? [`${failed} ${notDone}`] : []),
    ...(stopped > 0 ? [`${stopped} not begun`] : []),
  ];
  return <ListNotice text={`${doing}: ${parts.join(', ')}.`} onShow={() => filter({ batch: 'run' })} />;
};

type ListNoticeProps = {
  readonly role?: 'status';
  readonly text: string;
  readonly deed?: string;
  readonly onShow: () => void;
  readonly children?: ReactNode;
};

const ListNotice = ({ role, text, deed = 'Show', onShow, children }: ListNoticeProps) => (
  <p role={role} className="mt-3 flex flex-wrap items-center gap-x-3 rounded-xs bg-paper px-4 py-2.5 text-[0.9375rem]">
    <span className="figures min-w-0 flex-1 font-medium">{text}</span>
    {children}
    <NoticeButton onClick={onShow}>{deed}</NoticeButton>
  </p>
);

const NoticeButton = ({ onClick, children }: { readonly onClick: () => void; readonly children: string }) => (
  <button type="button" onClick={onClick} className="link inline-flex min-h-11 items-center font-semibold lg:min-h-8">
    {children}
  </button>
);

type OrdersListProps = OrdersPanelProps & {
  readonly onDeed: (deed: Deed, orders: readonly AdminOrder[]) => void;
  readonly children?: ReactNode;
};

const OrdersList = ({ total, onDeed, children }: OrdersListProps) => {
  const [question, filter] = useOrderFilter();
  const { next, status, q = '', sort } = question;
  const mayMove = useMay()('customers');
  const [view, chooseView] = useView();
  // The task is kept in the panel and not in the row, because another admin's change may remove the row while the dialog is open.
  const [task, setTask] = useState<Task>();
  const [markPacked] = useMarkPackedMutation();
  const notify = useNotify();
  const shown = usePagesShown(view === 'table' ? ROWS : CARDS);
  const list = createPagedList(useOrdersInfiniteQuery(question, shown.options), shown);
  const listed = list.state === 'loaded' ? list.rows : [];
  const name = list.state === 'loaded' && !list.outdated ? JSON.stringify(question) : undefined;
  const still = useStillRows(listed, view === 'table' ? name : undefined);
  const rows = view === 'table' ? still.rows : listed;
  const selection = useSelection(rows, name);
  const [fetchAll, { isFetching }] = useLazyWholeListQuery();
  const [params] = useSearchParams();
  const opened = params.get('order') ?? undefined;
  const [cursor, setCursor] = useState<string>();
  const isWhole = !next && !status && q === '';
  const open = (number: string) => filter({ order: number });

  const mark = async (order: AdminOrder, packed: boolean): Promise<void> => {
    const { error } = await markPacked({ id: order._id, packed });
    if (error) notify({ kind: 'failure', message: getMessage(error), stays: true });
  };
  const start = (order: AdminOrder, chosen: OrderTask): void => {
    if (chosen.name === 'pack') void mark(order, chosen.packed);
    else setTask({ ...chosen, order });
  };
  const takeNext = (order: AdminOrder): void => {
    const deed = mayMove ? nextDeed(order) : undefined;
    if (deed === 'pack') void mark(order, true);
    else if (deed) setTask({ name: 'move', to: deed === 'confirm' ? 'confirmed' : deed === 'ship' ? 'shipped' : 'delivered', order });
  };
  const selectAll = async (): Promise<void> => {
    const { data, error } = await fetchAll(question);
    if (data) selection.set(data);
    else if (error) notify({ kind: 'failure', message: getMessage(error), stays: true });
  };
  // The cards show no cursor, so that the keys of a row act on none of them.
  const at = rows.findIndex(({ orderNumber }) => orderNumber === (opened ?? (view === 'table' ? cursor : undefined)));
  const current = rows[at];
  const { currentData: found, error } = useOrderByNumberQuery(opened ?? skipToken);
  /** The row is shown while the order is asked for anew. */
  const order = found ?? rows.find(({ orderNumber }) => orderNumber === opened);
  const unopened = found === null ? `There is no order ${opened}.` : error && !order ? getMessage(error) : undefined;
  const [fetched, setFetched] = useState<number>();
  const saveCsv = async (): Promise<void> => {
    setFetched(0);
    try {
      await saveOrdersCsv(selection.orders, setFetched);
    } catch (error) {
      notify({ kind: 'failure', message: getMessage(error, 'The file could not be made. Please try again.'), stays: true });
    } finally {
      setFetched(undefined);
    }
  };
  /** Opens the papers of the selection, or else of the order in focus. A browser lets a key open one window. */
  const openPapers = (): boolean => {
    const orders = selection.orders.length > 0 ? selection.orders : current ? [current] : [];
    if (orders.length > MOST_AT_ONCE) notify({ kind: 'failure', message: TOO_MANY_PAPERS });
    else if (orders.length > 0) window.open(papersOf(orders), '_blank', 'noopener');
    return orders.length > 0;
  };

  const moveTo = (order: AdminOrder | undefined): boolean => {
    if (!order || (view !== 'table' && opened === undefined)) return false;
    setCursor(order.orderNumber ?? undefined);
    if (opened !== undefined) open(String(order.orderNumber));
    else document.querySelector<HTMLElement>(`[data-row="${order._id}"] [data-open]`)?.focus();
    return true;
  };
  const close = (): void => {
    if (task) return;
    const number = opened;
    filter({ order: '' });
    const row = rows.find(({ orderNumber }) => orderNumber === number);
    if (row) setTimeout(() => document.querySelector<HTMLElement>(`[data-row="${row._id}"] [data-open]`)?.focus());
  };
  useDeskKeys((key) => {
    switch (key) {
      case '/':
        document.querySelector<HTMLElement>('section[aria-label=Orders] input[type=search]')?.focus();
        return true;
      case 'j':
        return moveTo(rows[at + 1]);
      case 'k':
        return moveTo(rows[Math.max(0, at - 1)]);
      case 'x':
      case 'X':
        if (current) selection.toggle(current, key === 'X');
        return current !== undefined;
      case 'n':
        if (current && !still.hasLeft(current)) takeNext(current);
        return current !== undefined;
      case 's':
        if (!mayMove || selection.orders.length === 0 || !sharedDeeds(selection.orders).includes('ship')) return false;
        onDeed('ship', selection.orders);
        return true;
      case 'p':
        return mayMove && openPapers();
      case 'Escape':
        if (opened === undefined && selection.orders.length === 0) return false;
        if (opened === undefined) selection.set([]);
        else close();
        return true;
      default:
        return false;
    }
  });
  const addressOf = ({ orderNumber }: AdminOrder): string => {
    const address = new URLSearchParams(params);
    address.set('order', String(orderNumber));
    return `?${address}`;
  };

  return (
    <section aria-label="Orders">
      <PanelHead title="Orders" count={total === undefined ? undefined : formatNumber(total)}>
        <Tools question={question} total={total} view={view} onView={chooseView} onFilter={filter} />
      </PanelHead>
      <Lists chosen={next} total={total} onChoose={(step) => filter({ next: step ?? '', order: '' })} />
      {next === 'overdue' && <p className="mt-2 text-[0.875rem] text-clove">{OVERDUE}</p>}
      {children}
      {view === 'table' && still.waiting > 0 && (
        <ListNotice role="status" text={`${count(still.waiting, 'new order')} since you opened this list.`} onShow={still.showAll} />
      )}
      {unopened && <ListNotice role="status" text={unopened} deed="Close" onShow={close} />}
      <ListFrame
        list={list}
        loading="Loading orders..."
        skeleton={view === 'table' ? <RowsSkeleton /> : <OrdersSkeleton />}
        empty={<Empty question={question} />}
        total={isWhole ? total : undefined}
      >
        {(orders) =>
          view === 'table' ? (
            <OrdersTable
              orders={rows}
              hasLeft={still.hasLeft}
              selection={selection}
              cursor={cursor}
              opened={opened}
              addressOf={addressOf}
              onNext={mayMove ? takeNext : undefined}
              isOldestFirst={sort === 'oldest'}
              onSort={() => filter({ sort: sort === 'oldest' ? '' : 'oldest' })}
            />
          ) : (
            <div className="mt-4 grid gap-4 md:grid-cols-2 xl:grid-cols-3">
              {orders.map((order) => (
                <AdminOrderCard key={order._id} order={order} selection={selection} onTask={(chosen) => start(order, chosen)} />
              ))}
            </div>
          )
        }
      </ListFrame>
      {selection.orders.length > 0 && (
        <SelectionBar
          orders={selection.orders}
          onAll={selection.orders.length < MOST_SELECTED && list.state === 'loaded' && list.more ? () => void selectAll() : undefined}
          isBusy={isFetching || fetched !== undefined}
          fetched={fetched}
          onDeed={(deed) => onDeed(deed, selection.orders)}
          onCsv={() => void saveCsv()}
          onClear={() => selection.set([])}
        />
      )}
      {order && (
        <OrderDrawer
          order={order}
          onTask={(chosen) => start(order, chosen)}
          onClose={close}
          onAbove={at > 0 ? () => void moveTo(rows[at - 1]) : undefined}
          onBelow={at >= 0 && at < rows.length - 1 ? () => void moveTo(rows[at + 1]) : undefined}
        />
      )}
      {task && <TaskDialog task={task} onClose={() => setTask(undefined)} />}
    </section>
  );
};

const Empty = ({ question: { next, status, q } }: { readonly question: OrderFilter }) => {
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
const Lists = ({ chosen, total, onChoose }: ListsProps) => {
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

const Tools = ({ question: { status, q = '' }, total, view, onView, onFilter }: ToolsProps) => {
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

const TaskDialog = ({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) => {
  const { order } = task;
  switch (task.name) {
    // The mark is set at once.
    case 'pack':
      return null;
    case 'move':
      return <TransitionDialog order={order} to={task.to} onClose={onClose} />;
    case 'email':
      return <EmailDialog order={order} onClose={onClose} />;
    case 'shipment':
      return <ShipmentDialog order={order} onClose={onClose} />;
    case 'refund':
      return <RefundDialog order={order} onClose={onClose} />;
    case 'cash refund':
      return <CashRefundDialog order={order} onClose={onClose} />;
    case 'cash':
      return <CashDialog order={order} onClose={onClose} />;
  }
};

const RowsSkeleton = () => (
  <div className="mt-3 border-t border-ink/80">
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <div key={row} className="flex h-11 items-center gap-6 border-b border-sandal/70">
        <Skeleton className="size-5" />
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-4 w-20" />
      </div>
    ))}
  </div>
);

const OrdersSkeleton = () => (
  <div className="mt-4 grid gap-4 md:grid-cols-2 xl:grid-cols-3">
    {[1, 2, 3].map((card) => (
      <div key={card} className="rounded-sm border border-sandal bg-white p-5">
        <div className="flex justify-between">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-6 w-20" />
        </div>
        <Skeleton className="mt-7 h-28" />
        <Skeleton className="mt-7 h-4 w-3/4" />
        <Skeleton className="mt-2.5 h-4 w-1/2" />
        <Skeleton className="mt-8 h-11" />
      </div>
    ))}
  </div>
);
