import type { ProductView } from '#domain/product/view.ts';
import { useProductSearch } from '../../features/catalogue/use-product-search.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

/** Specification, section 4. */
const DEBOUNCE_MS = 300;

type Matches = {
  readonly products: readonly ProductView[];
  /** What they are matches of. */
  readonly query: string;
  /** How it goes, to be read out; empty while the typing has not paused. */
  readonly note: string;
};

/** Matches by name for what is typed, once the typing has paused. An emptied box has none, and at once. */
export const useMatches = (typed: string): Matches => {
  const text = typed.trim();
  const query = useDebounced(text, DEBOUNCE_MS);
  const { products, loading, failed } = useProductSearch(query);

  if (text === '') return { products: [], query: '', note: '' };
  if (text !== query) return { products, query, note: '' };
  if (loading) return { products, query, note: 'Searching...' };
  if (failed) return { products, query, note: 'Search is not answering' };
  return { products, query, note: products.length === 1 ? '1 match' : `${products.length} matches` };
};
