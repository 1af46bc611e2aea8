import { messageOf } from '../../lib/http/api.ts';
import type { Part } from './admin-types.ts';

/** The part of an infinite query's result that is used here. */
type Pages<Row> = {
  readonly data?: { readonly pages: readonly Part<Row>[] } | undefined;
  readonly currentData?: { readonly pages: readonly Part<Row>[] } | undefined;
  readonly error?: unknown;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly refetch: () => unknown;
  readonly fetchNextPage: () => unknown;
};

export type More = {
  readonly loading: boolean;
  readonly failed: boolean;
  /** False while the list is being refetched. */
  readonly canLoad: boolean;
  readonly show: () => void;
};

export type PagedList<Row> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string; readonly retry: () => void }
  | {
      readonly state: 'loaded';
      readonly rows: readonly Row[];
      /** Of the whole list, when the server sends it or all rows are loaded. */
      readonly total: number | undefined;
      /** The rows are those of the previous filter, while the new ones load. */
      readonly outdated: boolean;
      /** Undefined when all are shown. */
      readonly more: More | undefined;
    };

/** A row that moved between two pages would appear twice. */
const rowsOf = <Row extends { readonly _id: string }>(pages: readonly Part<Row>[]): Row[] => [
  ...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row._id, row])).values(),
];

/** State of a cursor-paged list, for `ListFrame`. */
export const pagedListOf = <Row extends { readonly _id: string }>(query: Pages<Row>): PagedList<Row> => {
  const { currentData, data = currentData, isFetchingNextPage, isFetchNextPageError } = query;
  if (query.isError && !currentData && !query.isFetching)
    return { state: 'failed', message: messageOf(query.error), retry: () => void query.refetch() };
  const last = data?.pages.at(-1);
  if (!data || !last) return { state: 'loading' };
  const rows = rowsOf(data.pages);
  const hasMore = last.next !== undefined;
  return {
    state: 'loaded',
    rows,
    total: last.total ?? (hasMore ? undefined : rows.length),
    outdated: !currentData,
    more: hasMore
      ? { loading: isFetchingNextPage, failed: isFetchNextPageError, canLoad: !query.isFetching, show: () => void query.fetchNextPage() }
      : undefined,
  };
};
