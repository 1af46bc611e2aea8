import { useLocation, useSearchParams } from 'react-router-dom';

/** A search that goes with the page in the history of the tab, and not in its address. */
export const searchState = (q: string) => ({ sought: q });

const searchIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'sought' in state && typeof state.sought === 'string' ? state.sought : null;

/** What is asked for: an order, orders in which something is found, one cart or perfume; or all that there is. */
export const useSearchState = () => {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [order, q, stream] = ['order', 'q', 'stream'].map((name) => params.get(name));
  return { order: order ?? null, q: q ?? searchIn(state), stream: stream ?? null };
};
