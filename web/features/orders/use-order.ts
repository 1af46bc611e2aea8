import { useEffect } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { useNavigationType, useParams } from 'react-router-dom';
import type { OrderView } from '#domain/order/view.ts';
import { findFailure, isPending, orderRequested, selectOrder } from './order-slice.ts';

export const useOrder = () => {
  const { id = '' } = useParams();
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const { currentOrder } = state;
  const order: OrderView | null = currentOrder?._id === id ? currentOrder : null;

  const cameBy = useNavigationType();
  const store = useStore<Parameters<typeof selectOrder>[0]>();
  useEffect(() => {
    // The answer to a command is current. After Back, and for any other order, the stored order may be outdated and is fetched.
    const { currentOrder, success } = selectOrder(store.getState());
    if (cameBy === 'POP' || !success || currentOrder?._id !== id) dispatch(orderRequested(id));
  }, [dispatch, store, id, cameBy]);

  const failure = findFailure(state, 'fetch');
  // Another user has entered, so the loaded order is gone; it may belong to this user and is fetched again.
  const isLost = currentOrder === null && failure === null && !state.loading;
  useEffect(() => {
    if (isLost && !selectOrder(store.getState()).loading) dispatch(orderRequested(id));
  }, [dispatch, store, id, isLost]);

  return {
    order,
    failure,
    // On the first render nothing has been requested yet.
    isComing: order === null && (isPending(state, 'fetch') || failure === null),
    retry: () => void dispatch(orderRequested(id)),
  };
};
