import { useState } from 'react';
import { ERASED_OF_AN_ORDER } from '#domain/order/texts.ts';
import { type OrderStatus, orderStatuses } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { listErasedOrders } from '../../../lib/erasure-text.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { formatNumber } from '../../../lib/format.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { ConfirmErasure } from '../../../ui/overlay/ConfirmErasure.tsx';
import { DownloadCsv } from '../DownloadCsv.tsx';
import { ListFrame } from '../ListFrame.tsx';
import { useNotify } from '../Notices.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { useFilter } from '../use-panel.ts';
import { Segments } from '../Segments.tsx';
import { CARDS, type OrderFilter, useEraseGuestMutation, useOrdersInfiniteQuery } from '../admin-api.ts';
import type { AdminOrder } from '../admin-types.ts';
import { capitalised } from '../family-text.ts';
import { AdminOrderCard, type OrderTask } from './AdminOrderCard.tsx';
import { EmailDialog } from './EmailDialog.tsx';
import { CashDialog, RefundDialog } from './PaymentDialogs.tsx';
import { TransitionDialog } from './TransitionDialog.tsx';

type Chosen = OrderStatus | 'all';
type Task = OrderTask & { readonly order: AdminOrder };

/** Drafts (`created`) are not orders yet. */
const statuses = orderStatuses.filter((status) => status !== 'created');
const options = [{ value: 'all' as Chosen, text: 'All' }, ...statuses.map((value) => ({ value, text: capitalised(value) }))];

const questionFor = (status: Chosen, q: string): OrderFilter => ({ ...(status !== 'all' && { status }), ...(q !== '' && { q }) });

/** Placed orders, newest first. `total` counts all of them, whatever the search. */
export const OrdersPanel = ({ total }: { readonly total: number | undefined }) => {
  const [wanted, setStatus] = useFilter('status');
  const status = statuses.find((each) => each === wanted) ?? 'all';
  const [q, setQ] = useFilter('q');
  // The task is kept in the panel and not in the card, because another admin's change may remove the card while the dialog is open.
  const [task, setTask] = useState<Task>();
  const count = useShownCount(CARDS);
  const list = createPagedList(useOrdersInfiniteQuery(questionFor(status, q), count.options), count);
  const isWhole = status === 'all' && q === '';
  return (
    <section aria-label="Orders">
      <PanelHead title="Orders" count={total === undefined ? undefined : formatNumber(total)}>
        <SearchBox label="Number, name or e-mail" q={q} onSearch={setQ} className="sm:w-72" />
        <DownloadCsv name="orders" count={total} />
      </PanelHead>
      <div className="mt-5">
        <Segments label="Status" options={options} chosen={status} onChoose={(chosen) => setStatus(chosen === 'all' ? '' : chosen)} />
      </div>
      <ListFrame
        list={list}
        loading="Loading orders..."
        skeleton={<OrdersSkeleton />}
        empty={
          isWhole ? (
            <EmptyState title="No orders yet">The first one shows here as soon as it is placed.</EmptyState>
          ) : (
            <EmptyState title="No such orders">Nothing has this state and this number, name or e-mail address.</EmptyState>
          )
        }
        total={isWhole ? total : undefined}
      >
        {(orders) => (
          <div className="mt-6 grid gap-5 md:grid-cols-2 xl:grid-cols-3">
            {orders.map((order) => (
              <AdminOrderCard key={order._id} order={order} onTask={(chosen) => setTask({ ...chosen, order })} />
            ))}
          </div>
        )}
      </ListFrame>
      {task && <TaskDialog task={task} onClose={() => setTask(undefined)} />}
    </section>
  );
};

const TaskDialog = ({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) => {
  const { order } = task;
  switch (task.name) {
    case 'move':
      return <TransitionDialog order={order} to={task.to} onClose={onClose} />;
    case 'email':
      return <EmailDialog order={order} onClose={onClose} />;
    case 'erase':
      return <EraseDialog order={order} onClose={onClose} />;
    case 'refund':
      return <RefundDialog order={order} onClose={onClose} />;
    case 'cash':
      return <CashDialog order={order} onClose={onClose} />;
  }
};

const OrdersSkeleton = () => (
  <div className="mt-6 grid gap-5 md:grid-cols-2 xl:grid-cols-3">
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

const CONSEQUENCES = [
  `${ERASED_OF_AN_ORDER} go, of this order and all others made in the same browser.`,
  'Those that have not shipped are cancelled, and what was paid for them goes back.',
  'The guest can no longer open these orders. Totals and figures stay.',
];

type EraseDialogProps = { readonly order: OrderView; readonly onClose: () => void };

const EraseDialog = ({ order, onClose }: EraseDialogProps) => {
  const { _id, orderNumber } = order;
  const notify = useNotify();
  const [send, { isLoading, error }] = useEraseGuestMutation();
  const erase = async (): Promise<void> => {
    const { data: message } = await send(_id);
    if (message === undefined) return;
    notify({ kind: 'success', message });
    onClose();
  };
  return (
    <ConfirmErasure
      title={`Erase personal data: ${orderNumber}`}
      warning="For a guest who asked for it. This cannot be undone."
      consequences={[...listErasedOrders([order]), ...CONSEQUENCES]}
      keep="Back"
      isBusy={isLoading}
      onClose={onClose}
      confirm={() => void erase()}
    >
      {error && <Alert className="mt-5">{getMessage(error)}</Alert>}
    </ConfirmErasure>
  );
};
