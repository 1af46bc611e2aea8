import { useLocation, useSearchParams } from 'react-router-dom';

/** A search that goes with the page in the history of the tab, and not in its address. */
export const soughtState = (q: string) => ({ sought: q });

const soughtIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'sought' in state && typeof state.sought === 'string' ? state.sought : null;

/** What is asked for: an order, orders in which something is found, one cart or perfume; or all that there is. */
export const useSought = () => {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [order, q, stream] = ['order', 'q', 'stream'].map((name) => params.get(name));
  return { order: order ?? null, q: q ?? soughtIn(state), stream: stream ?? null };
};
