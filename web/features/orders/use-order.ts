import { useEffect } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { useNavigationType, useParams } from 'react-router-dom';
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

  const cameBy = useNavigationType();
  const store = useStore<Parameters<typeof selectOrder>[0]>();
  useEffect(() => {
    // To where the last command leads, its answer is as new as can be; on the way back, and of anything else, things may have moved on since.
    const { currentOrder, success } = selectOrder(store.getState());
    if (cameBy === 'POP' || !success || currentOrder?._id !== id) dispatch(orderRequested(id));
  }, [dispatch, store, id, cameBy]);

  const isFetching = loading && asked === 'fetch';
  // On the very first draw nothing has been asked for yet.
  const isComing = order === null && (isFetching || (error === null && failure === null));
  return { order, loading, asked, failure, isComing, retry: () => void dispatch(orderRequested(id)) };
};
