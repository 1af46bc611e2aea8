import { useEffect, useRef } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { Navigate } from 'react-router-dom';
import type { OrderView } from '#domain/order/view.ts';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { BusyOverlay } from '../../../ui/overlay/BusyOverlay.tsx';
import { OrderUnavailable } from '../OrderUnavailable.tsx';
import { reviewPath } from '../order-paths.ts';
import { checkRequested, isPending, selectOrder } from '../order-slice.ts';
import { useOrder } from '../use-order.ts';
import { useLiveOrder } from './live-order.ts';
import { type NewsletterSlot, PlacedOrder } from './PlacedOrder.tsx';

/**
 * Asks the gateway once for the payment of a fetched order that is due, because its shopper may have returned from paying. An order that
 * was placed in this tab just now has not been to the gateway.
 */
const usePaymentCheck = (order: OrderView | null): void => {
  const dispatch = useDispatch();
  const store = useStore<Parameters<typeof selectOrder>[0]>();
  const isComing = useSelector((state: Parameters<typeof selectOrder>[0]) => isPending(selectOrder(state), 'fetch'));
  const asked = useRef<string>(undefined);
  const due = order?.payment.status === 'due' ? order._id : undefined;
  useEffect(() => {
    if (due === undefined || asked.current === due || isComing) return;
    const state = selectOrder(store.getState());
    // The fetch may have begun after this render.
    if (state.success || isPending(state, 'fetch')) return;
    asked.current = due;
    dispatch(checkRequested(due));
  }, [dispatch, store, due, isComing]);
};

type OrderDetailsPageProps = {
  readonly Newsletter?: NewsletterSlot;
  /** Called with the server's message; undefined when the visitor is not, or may not be, a guest. */
  readonly onErased?: ((message: string) => void) | undefined;
  /** The lines of the shop's postal address. */
  readonly returnsTo: readonly string[];
  readonly mayReview?: boolean;
  /** Some of the staff may read the invoices of others' orders. */
  readonly readsInvoices?: boolean;
};

/** `/order-confirmed/:id`, which shows the confirmation and later the order's state. A draft is redirected to its review. */
export const OrderDetailsPage = ({ Newsletter, onErased, returnsTo, mayReview = false, readsInvoices = false }: OrderDetailsPageProps) => {
  const { order, failure, isComing, retry } = useOrder();
  usePaymentCheck(order);
  useLiveOrder(order?.placedAt ? order._id : undefined);
  const loadingShown = useDelayedLoading(isComing);
  if (order !== null && order.placedAt === null) return <Navigate to={reviewPath(order._id)} replace />;
  return (
    <>
      {order !== null && (
        <PlacedOrder
          order={order}
          Newsletter={Newsletter}
          onErased={onErased}
          returnsTo={returnsTo}
          mayReview={mayReview}
          readsInvoices={readsInvoices}
        />
      )}
      {order === null && !isComing && <OrderUnavailable failure={failure} onRetry={retry} />}
      {loadingShown && <BusyOverlay>Loading your order</BusyOverlay>}
    </>
  );
};
