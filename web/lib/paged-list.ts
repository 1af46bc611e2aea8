import { useLocation, useNavigate } from 'react-router-dom';
import { getMessage } from './http/api.ts';

export type ListPage<Row> = { readonly rows: readonly Row[]; readonly next: string | undefined; readonly total?: number | undefined };

export type PageStart = { readonly limit: number; readonly cursor?: string };

export const pagedBy = (limit: number) => ({
  initialPageParam: { limit } as PageStart,
  getNextPageParam: ({ next: cursor }: Pick<ListPage<unknown>, 'next'>): PageStart | undefined =>
    cursor === undefined ? undefined : { limit, cursor },
});

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
  /** `canLoad` is false while the list is being refetched. */
  readonly canLoad: boolean;
  readonly show: () => void;
};

export type PagedList<Row> =
  | { readonly state: 'loading'; /** Number of placeholders. */ readonly places: number }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }
  | {
      readonly state: 'loaded';
      readonly rows: readonly Row[];
      /** The size of the whole list is known when the server sends it or all rows are loaded. */
      readonly total: number | undefined;
      /** The rows belong to the previous filter while the new ones load. */
      readonly outdated: boolean;
      /** There is no `more` once all rows are shown. */
      readonly more: LoadMoreState | undefined;
    };

/** A row that moved from one page to the next while they were loaded is listed once. */
export const joinPages = <Row extends { readonly _id: string }>(pages: readonly ListPage<Row>[]): Row[] => [
  ...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row._id, row])).values(),
];

const parseShown = (state: unknown, step: number): number => {
  const shown = typeof state === 'object' && state !== null && 'shown' in state ? state.shown : undefined;
  return typeof shown === 'number' && shown > step ? shown : step;
};

/** The API limits one page to this size, so a longer list cannot be restored in one request. */
export const MOST_AT_ONCE = 200;

/** The number of rows shown grows by `step`. */
export type ShownCount = {
  readonly step: number;
  readonly shown: number;
  readonly show: (shown: number) => void;
  /** Options for an infinite query, which then asks for all shown rows at once. */
  readonly options: { readonly initialPageParam: PageStart };
};

/**
 * Returns how many rows are shown. The number is kept in the history entry's state, so that Back and a reload show the list as long as it
 * was. Other filters, which are in the URL, start with one step again.
 */
export const useShownCount = (step: number): ShownCount => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const shown = parseShown(state, step);
  return {
    step,
    shown,
    show: (count) => void navigate({ search }, { replace: true, state: { shown: count } }),
    options: { initialPageParam: { limit: Math.min(shown, MOST_AT_ONCE) } },
  };
};

export const createPagedList = <Row extends { readonly _id: string }>(
  query: Pages<Row>,
  { step, shown, show }: ShownCount,
): PagedList<Row> => {
  const { currentData, data = currentData, isFetching } = query;

  if (query.isError && !currentData && !isFetching)
    return { state: 'failed', message: getMessage(query.error), retry: () => void query.refetch() };
  const last = data?.pages.at(-1);
  if (!data || !last) return { state: 'loading', places: shown };

  const loaded = joinPages(data.pages);
  const rows = loaded.slice(0, shown);
  const more: LoadMoreState = {
    loading: query.isFetchingNextPage,
    failed: query.isFetchNextPageError,
    canLoad: !isFetching,
    show: () => {
      // After a failed page the count is already raised.
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
