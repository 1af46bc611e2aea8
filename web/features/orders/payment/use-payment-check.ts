import { useEffect, useRef } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import { checkRequested, isPending, selectOrder } from '../order-slice.ts';

/**
 * Asks the gateway once for the payment of an order that is due and was read: its shopper may have come back from paying. An order that was
 * placed here just now has not been to the gateway.
 */
export const usePaymentCheck = (order: OrderView | null): void => {
  const dispatch = useDispatch();
  const store = useStore<Parameters<typeof selectOrder>[0]>();
  const isComing = useSelector((state: Parameters<typeof selectOrder>[0]) => isPending(selectOrder(state), 'fetch'));
  const asked = useRef<string>(undefined);
  const due = order?.payment.status === 'due' ? order._id : undefined;
  useEffect(() => {
    if (due === undefined || asked.current === due || isComing) return;
    const state = selectOrder(store.getState());
    // Reading may have begun after this render.
    if (state.success || isPending(state, 'fetch')) return;
    asked.current = due;
    dispatch(checkRequested(due));
  }, [dispatch, store, due, isComing]);
};
