import { useLocation, useNavigate } from 'react-router-dom';
import { messageOf } from './http/api.ts';

/** One page of a list, in the server's order. */
export type ListPage<Row> = {
  readonly rows: readonly Row[];
  /** The cursor of the next page; undefined on the last. */
  readonly next: string | undefined;
  /** Of the whole list, when the server sends it. */
  readonly total?: number | undefined;
};

/** Size and cursor of a page. */
export type PageStart = { readonly limit: number; readonly cursor?: string };

/** Paging of an infinite query by cursor, so many rows at a time. */
export const pagedBy = (limit: number) => ({
  initialPageParam: { limit } as PageStart,
  getNextPageParam: ({ next: cursor }: Pick<ListPage<unknown>, 'next'>): PageStart | undefined =>
    cursor === undefined ? undefined : { limit, cursor },
});

/** The part of an infinite query's result that is used here. */
type Pages<Row> = {
  readonly data?: { readonly pages: readonly ListPage<Row>[] } | undefined;
  readonly currentData?: { readonly pages: readonly ListPage<Row>[] } | undefined;
  readonly error?: unknown;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly refetch: () => unknown;
  readonly fetchNextPage: () => unknown;
};

export type LoadMoreState = {
  readonly loading: boolean;
  readonly failed: boolean;
  /** False while the list is being refetched. */
  readonly canLoad: boolean;
  readonly show: () => void;
};

export type PagedList<Row> =
  | { readonly state: 'loading'; /** Number of placeholders. */ readonly places: number }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }
  | {
      readonly state: 'loaded';
      readonly rows: readonly Row[];
      /** Of the whole list, when the server sends it or all rows are loaded. */
      readonly total: number | undefined;
      /** The rows are those of the previous filter, while the new ones load. */
      readonly outdated: boolean;
      /** Undefined when all are shown. */
      readonly more: LoadMoreState | undefined;
    };

/** A row that moved between two pages would appear twice. */
export const rowsOf = <Row extends { readonly _id: string }>(pages: readonly ListPage<Row>[]): Row[] => [
  ...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row._id, row])).values(),
];

const shownIn = (state: unknown, step: number): number => {
  const shown = typeof state === 'object' && state !== null && 'shown' in state ? state.shown : undefined;
  return typeof shown === 'number' && shown > step ? shown : step;
};

/** The API's limit for one page, so also for restoring a longer list. */
const MOST_AT_ONCE = 200;

/** How much of a list is shown, which grows `step` rows at a time. */
type ShownCount = {
  readonly step: number;
  readonly shown: number;
  readonly show: (shown: number) => void;
  /** For an infinite query: it asks for as many rows at once. */
  readonly options: { readonly initialPageParam: PageStart };
};

/**
 * Kept in the history entry's state, so that Back and a reload find the list as long as it was left. Other filters, which are in the URL,
 * start with one step again.
 */
export const useShownCount = (step: number): ShownCount => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const shown = shownIn(state, step);
  return {
    step,
    shown,
    show: (count) => void navigate({ search }, { replace: true, state: { shown: count } }),
    options: { initialPageParam: { limit: Math.min(shown, MOST_AT_ONCE) } },
  };
};

/** An infinite query as a list, as far as it is shown. */
export const pagedListOf = <Row extends { readonly _id: string }>(query: Pages<Row>, { step, shown, show }: ShownCount): PagedList<Row> => {
  const { currentData, data = currentData, isFetching } = query;

  if (query.isError && !currentData && !isFetching)
    return { state: 'failed', message: messageOf(query.error), retry: () => void query.refetch() };
  const last = data?.pages.at(-1);
  if (!data || !last) return { state: 'loading', places: shown };

  const loaded = rowsOf(data.pages);
  const rows = loaded.slice(0, shown);
  const more: LoadMoreState = {
    loading: query.isFetchingNextPage,
    failed: query.isFetchNextPageError,
    canLoad: !isFetching,
    show: () => {
      // After a failed page the count has been raised already.
      const wanted = loaded.length < shown ? shown : shown + step;
      if (wanted > shown) show(wanted);
      if (loaded.length < wanted && last.next !== undefined) void query.fetchNextPage();
    },
  };
  const hasMore = rows.length < loaded.length || last.next !== undefined;
  return {
    state: 'loaded',
    rows,
    total: last.total ?? (hasMore ? undefined : rows.length),
    outdated: !currentData,
    more: hasMore ? more : undefined,
  };
};
