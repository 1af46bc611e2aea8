import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import { CLOSED, type LiveConnection, openLive } from '../../../lib/live.ts';
import { orderMoved } from '../order-slice.ts';

/** After an error response the connection is tried again, each time after twice as long. Whoever may only read the order gets none. */
const RETRY_AFTER_MS = 15_000;

/** Hears of the order's changes while the page is in view: a connection in each hidden tab would use up those of the browser. */
export const followOrder = (id: string, hear: (order: OrderView) => void, open = openLive): (() => void) => {
  let live: LiveConnection | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let wait = RETRY_AFTER_MS;
  const stop = (): void => {
    clearTimeout(retry);
    live?.close();
    live = undefined;
  };
  const listen = (): void => {
    stop();
    const connection = open(`/order/${encodeURIComponent(id)}/live`);
    live = connection;
    connection.addEventListener('order', ({ data }) => {
      wait = RETRY_AFTER_MS;
      hear(JSON.parse(data) as OrderView); // sent by our own server
    });
    connection.addEventListener('error', () => {
      if (connection.readyState !== CLOSED) return;
      retry = setTimeout(listen, wait);
      wait *= 2;
    });
  };
  const onVisibility = (): void => (document.visibilityState === 'visible' ? listen() : stop());
  document.addEventListener('visibilitychange', onVisibility);
  if (document.visibilityState === 'visible') listen();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    stop();
  };
};

/** Keeps the page of a placed order as the order is. */
export const useLiveOrder = (id: string | undefined): void => {
  const dispatch = useDispatch();
  useEffect(() => (id === undefined ? undefined : followOrder(id, (order) => void dispatch(orderMoved(order)))), [dispatch, id]);
};
