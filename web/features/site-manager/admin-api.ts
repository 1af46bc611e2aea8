import { createApi } from '@reduxjs/toolkit/query/react';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { api } from '../../lib/http/api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from '../../lib/http/base-query.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import type { ContactMessage, DayOfSales, Health, Part, PriceSince, Stats, Subscriber } from './admin-types.ts';

/** Filters of the order list: a status, and a text in number, name or email address. */
export type OrderFilter = { readonly status?: OrderStatus; readonly q?: string };

/** Periods of the chart, in days. */
export const periods = [30, 90, 365] as const;
export type Period = (typeof periods)[number];

/** The cursor of a page; undefined for the first. */
type Start = string | undefined;

const pages = {
  initialPageParam: undefined as Start,
  getNextPageParam: ({ next }: { readonly next: Start }): Start => next,
};

/** Page sizes that fill whole rows of cards, or a screen or two of a table. */
const CARDS = 12;
const ROWS = 20;

const part = (limit: number, cursor: Start) => (cursor === undefined ? { limit } : { limit, cursor });

/** Kinds of change that the server announces. */
export const tags = ['Figures', 'Sales', 'Orders', 'Products', 'Subscribers', 'Messages', 'Health'] as const;
export type Tag = (typeof tags)[number];

/** The back office's queries. Commands are in admin-commands.ts. */
export const adminApi = createApi({
  reducerPath: 'admin',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  // The default would delay an invalidation until other requests have finished.
  invalidationBehavior: 'immediately',
  // What is kept from before is shown at once, and refetched.
  refetchOnMountOrArgChange: true,
  refetchOnFocus: true,
  refetchOnReconnect: true,
  tagTypes: tags,
  endpoints: (build) => ({
    stats: build.query<Stats, void>({ query: () => ({ url: '/admin/stats' }), providesTags: ['Figures'] }),

    sales: build.query<readonly DayOfSales[], Period>({
      query: (days) => ({ url: '/admin/sales', params: { days } }),
      transformResponse: ({ days }: { readonly days: readonly DayOfSales[] }) => days,
      providesTags: ['Sales'],
    }),

    health: build.query<Health, void>({ query: () => ({ url: '/admin/health' }), providesTags: ['Health'] }),

    prices: build.query<readonly PriceSince[], ProductId>({
      query: (id) => ({ url: `/product/${encodeURIComponent(id)}/prices` }),
      transformResponse: ({ prices }: { readonly prices: readonly PriceSince[] }) => prices,
      providesTags: ['Products'],
    }),

    orders: build.infiniteQuery<Part<OrderView>, OrderFilter, Start>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to fetch orders',
        url: '/admin/orders',
        params: { ...queryArg, ...part(CARDS, pageParam) },
      }),
      transformResponse: ({ orders, nextCursor: next }: { readonly orders: readonly OrderView[]; readonly nextCursor: string | null }) => ({
        rows: orders,
        next: next ?? undefined,
      }),
      infiniteQueryOptions: pages,
      providesTags: ['Orders'],
    }),

    products: build.infiniteQuery<Part<ProductView>, { readonly q?: string }, Start>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to load products.',
        url: '/product',
        params: { ...queryArg, sort: 'name', ...part(ROWS, pageParam) },
      }),
      transformResponse: (rows: readonly ProductView[], meta) => ({ rows, next: nextCursor(meta?.link), total: meta?.totalCount }),
      infiniteQueryOptions: pages,
      providesTags: ['Products'],
    }),

    subscribers: build.infiniteQuery<Part<Subscriber>, void, Start>({
      query: ({ pageParam }) => ({ fallback: 'Failed to fetch subscribers', url: '/subscribe', params: part(2 * ROWS, pageParam) }),
      transformResponse: (rows: readonly Subscriber[], meta) => ({ rows, next: nextCursor(meta?.link) }),
      infiniteQueryOptions: pages,
      providesTags: ['Subscribers'],
    }),

    messages: build.infiniteQuery<Part<ContactMessage>, void, Start>({
      query: ({ pageParam }) => ({ fallback: 'Failed to fetch contacts', url: '/contact', params: part(ROWS, pageParam) }),
      transformResponse: ({
        data,
        nextCursor: next,
      }: {
        readonly data: readonly ContactMessage[];
        readonly nextCursor: string | null;
      }) => ({
        rows: data,
        next: next ?? undefined,
      }),
      infiniteQueryOptions: pages,
      providesTags: ['Messages'],
    }),
  }),
});

export const {
  useStatsQuery,
  useSalesQuery,
  useHealthQuery,
  usePricesQuery,
  useOrdersInfiniteQuery,
  useProductsInfiniteQuery,
  useSubscribersInfiniteQuery,
  useMessagesInfiniteQuery,
} = adminApi;
