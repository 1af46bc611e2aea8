import { useLocation, useNavigate } from 'react-router-dom';
import { LISTING_PAGE_SIZE } from '#domain/site/pages.ts';
import type { ProductView } from '#domain/product/view.ts';
import { type ProductPage, useProductPagesInfiniteQuery } from '../catalogue-api.ts';
import { queryOf, type ShopFilters } from './shop-filters.ts';

const shownIn = (state: unknown): number => {
  const shown = typeof state === 'object' && state !== null && 'shown' in state ? state.shown : undefined;
  return typeof shown === 'number' && shown > LISTING_PAGE_SIZE ? shown : LISTING_PAGE_SIZE;
};

/**
 * Number of products shown, from 20 in steps of 20. Kept in the history entry's state, so that Back restores the listing, and other filters
 * start at 20.
 */
const useShownCount = (): readonly [number, (count: number) => void] => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const show = (shown: number): void => void navigate({ search }, { replace: true, state: { shown } });
  return [shownIn(state), show];
};

/** The API's limit for one page, so also for restoring a longer listing. */
const MOST_AT_ONCE = 200;

type MoreProducts = {
  readonly loading: boolean;
  readonly failed: boolean;
  readonly show: () => void;
};

export type Listing =
  | { readonly state: 'loading'; /** Number of placeholders. */ readonly places: number }
  | { readonly state: 'failed'; readonly retry: () => void }
  | {
      readonly state: 'loaded';
      readonly products: readonly ProductView[];
      readonly total: number;
      /** The products are those of the previous filters, while the new ones load. */
      readonly outdated: boolean;
      /** Undefined when all are shown. */
      readonly more: MoreProducts | undefined;
    };

/** A product that moved between two pages would appear twice. */
const allOf = (pages: readonly ProductPage[]): ProductView[] => [
  ...new Map(pages.flatMap(({ products }) => products).map((product) => [product._id, product])).values(),
];

/** The listing for these filters, as far as it is shown. */
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
    show: () => {
      // After a failed page the count has been raised already.
      const wanted = loaded.length < shown ? shown : shown + LISTING_PAGE_SIZE;
      if (wanted > shown) show(wanted);
      if (loaded.length < wanted && last.next !== undefined) void pages.fetchNextPage();
    },
  };
  const hasMore = products.length < loaded.length || last.next !== undefined;
  return { state: 'loaded', products, total: last.total, outdated: !currentData, more: hasMore ? more : undefined };
};
