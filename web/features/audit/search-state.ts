import { useLocation, useSearchParams } from 'react-router-dom';

/** A search text that is kept in the history entry's state and not in the URL. */
export const searchState = (q: string) => ({ sought: q });

const searchIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'sought' in state && typeof state.sought === 'string' ? state.sought : null;

/** What the page asks for: an order, a search, one stream, or everything. */
export const useSearchState = () => {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [order, q, stream] = ['order', 'q', 'stream'].map((name) => params.get(name));
  return { order: order ?? null, q: q ?? searchIn(state), stream: stream ?? null };
};
