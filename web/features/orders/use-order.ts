import { useEffect } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { useParams } from 'react-router-dom';
import type { OrderView } from '#domain/order/view.ts';
import { orderRequested, selectOrder } from './order-slice.ts';
import { selectOrderScreen } from './order-screen-slice.ts';

/** The order that the page's address names. */
export const useOrder = () => {
  const { id = '' } = useParams();
  const dispatch = useDispatch();
  const { currentOrder, loading, error } = useSelector(selectOrder);
  const { asked, failure } = useSelector(selectOrderScreen);
  const order: OrderView | null = currentOrder?._id === id ? currentOrder : null;

  const store = useStore<Parameters<typeof selectOrder>[0]>();
  useEffect(() => {
    // What the last command answered is as new as can be; anything else may have moved on since.
    const { currentOrder, success } = selectOrder(store.getState());
    if (!success || currentOrder?._id !== id) dispatch(orderRequested(id));
  }, [dispatch, store, id]);

  const isFetching = loading && asked === 'fetch';
  // On the very first draw nothing has been asked for yet.
  const isComing = order === null && (isFetching || (error === null && failure === null));
  return { order, loading, asked, failure, isComing, retry: () => void dispatch(orderRequested(id)) };
};
