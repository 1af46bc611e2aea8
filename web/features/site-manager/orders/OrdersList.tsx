import { skipToken } from '@reduxjs/toolkit/query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { getMessage } from '../../../lib/http/api.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { createPagedList, MOST_AT_ONCE } from '../../../lib/paged-list.ts';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { useDeskKeys } from '../use-desk-keys.ts';
import { useMay } from '../use-may.ts';
import { usePagesShown } from '../use-panel.ts';
import {
  CARDS,
  MOST_SELECTED,
  ROWS,
  useLazyWholeListQuery,
  useMarkPackedMutation,
  useOrderByNumberQuery,
  useOrdersInfiniteQuery,
} from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { AdminOrderCard, type OrderTask } from './AdminOrderCard.tsx';
import { EmailDialog } from './EmailDialog.tsx';
import { type Deed, nextDeed, sharedDeeds } from './next-deed.ts';
import { OrderDrawer } from './OrderDrawer.tsx';
import { NoOrders, OrderLists, OrderTools, OVERDUE, useOrderFilter, useView } from './OrderFilters.tsx';
import { OrdersTable } from './OrdersTable.tsx';
import { CashDialog, CashRefundDialog, RefundDialog } from './PaymentDialogs.tsx';
import { ShipmentDialog } from './OrderShipment.tsx';
import { papersOf, saveOrdersCsv, SelectionBar, TOO_MANY_PAPERS } from './SelectionBar.tsx';
import { TransitionDialog } from './TransitionDialog.tsx';
import { useSelection } from './use-selection.ts';
import { useStillRows } from './use-still-rows.ts';

type Task = OrderTask & { readonly order: AdminOrder };

type OrdersListProps = {
  /** All placed orders, whatever the search. */
  readonly total: number | undefined;
  readonly onDeed: (deed: Deed, orders: readonly AdminOrder[]) => void;
  readonly children?: ReactNode;
};

/** The orders that the address asks for, and what is done with one or many of them. `children` stand above. */
export const OrdersList = ({ total, onDeed, children }: OrdersListProps) => {
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
        <OrderTools question={question} total={total} view={view} onView={chooseView} onFilter={filter} />
      </PanelHead>
      <OrderLists chosen={next} total={total} onChoose={(step) => filter({ next: step ?? '', order: '' })} />
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
        empty={<NoOrders question={question} />}
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

type ListNoticeProps = {
  readonly role?: 'status';
  readonly text: string;
  readonly deed?: string;
  readonly onShow: () => void;
  readonly children?: ReactNode;
};

export const ListNotice = ({ role, text, deed = 'Show', onShow, children }: ListNoticeProps) => (
  <p role={role} className="mt-3 flex flex-wrap items-center gap-x-3 rounded-xs bg-paper px-4 py-2.5 text-[0.9375rem]">
    <span className="figures min-w-0 flex-1 font-medium">{text}</span>
    {children}
    <NoticeButton onClick={onShow}>{deed}</NoticeButton>
  </p>
);

export const NoticeButton = ({ onClick, children }: { readonly onClick: () => void; readonly children: string }) => (
  <button type="button" onClick={onClick} className="link inline-flex min-h-11 items-center font-semibold lg:min-h-8">
    {children}
  </button>
);

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
