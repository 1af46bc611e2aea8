import { useLocation, useNavigate } from 'react-router-dom';
import { STEP } from '#domain/first-calls.ts';
import type { ProductView } from '#domain/product/view.ts';
import { type ProductPage, useProductPagesInfiniteQuery } from '../catalogue-api.ts';
import { queryOf, type ShopFilters } from './shop-filters.ts';

const shownIn = (state: unknown): number => {
  const shown = typeof state === 'object' && state !== null && 'shown' in state ? state.shown : undefined;
  return typeof shown === 'number' && shown > STEP ? shown : STEP;
};

/**
 * How many products are to be seen: 20, and 20 more with each step (specification, section 4). It is kept with the entry in the
 * history, so that Back finds the listing as long as it was left, and other filters begin at 20 again.
 */
const useShownCount = (): readonly [number, (count: number) => void] => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const show = (shown: number): void => void navigate({ search }, { replace: true, state: { shown } });
  return [shownIn(state), show];
};

/** Steps that scrolling takes by itself; after them the shopper asks for more, so that the footer can be reached. */
const STEPS_BY_SCROLLING = 2;
/** The API's own limit: a listing that was longer when it was left comes back this long. */
const MOST_AT_ONCE = 200;

export type MoreProducts = {
  readonly loading: boolean;
  readonly failed: boolean;
  /** Whether coming near the end is enough. */
  readonly byScrolling: boolean;
  readonly show: () => void;
};

export type Listing =
  | { readonly state: 'loading'; /** How many products there will be room for. */ readonly places: number }
  | { readonly state: 'failed'; readonly retry: () => void }
  | {
      readonly state: 'loaded';
      readonly products: readonly ProductView[];
      readonly total: number;
      /** Other filters were asked for, and what is shown is still the answer to those before. */
      readonly outdated: boolean;
      /** Undefined when all are shown. */
      readonly more: MoreProducts | undefined;
    };

/** A product that moved while the shopper read may come twice. */
const allOf = (pages: readonly ProductPage[]): ProductView[] => [
  ...new Map(pages.flatMap(({ products }) => products).map((product) => [product._id, product])).values(),
];

/** The listing that the filters ask for, as far as it is shown. */
export const useListing = (filters: ShopFilters): Listing => {
  const [shown, show] = useShownCount();
  const pages = useProductPagesInfiniteQuery(queryOf(filters), { initialPageParam: { limit: Math.min(shown, MOST_AT_ONCE) } });
  const { currentData, data = currentData, isError, isFetching, isFetchingNextPage, isFetchNextPageError } = pages;

  if (isError && !currentData && !isFetching) return { state: 'failed', retry: () => void pages.refetch() };
  const last = data?.pages.at(-1);
  if (!data || !last) return { state: 'loading', places: shown };

  const loaded = allOf(data.pages);
  const products = loaded.slice(0, shown);
  const more: MoreProducts = {
    loading: isFetchingNextPage,
    failed: isFetchNextPageError,
    byScrolling: shown < STEP * (1 + STEPS_BY_SCROLLING),
    show: () => {
      // After a step that failed the count is already the wanted one.
      const wanted = loaded.length < shown ? shown : shown + STEP;
      if (wanted > shown) show(wanted);
      if (loaded.length < wanted && last.next !== undefined) void pages.fetchNextPage();
    },
  };
  const hasMore = products.length < loaded.length || last.next !== undefined;
  return { state: 'loaded', products, total: last.total, outdated: !currentData, more: hasMore ? more : undefined };
};
