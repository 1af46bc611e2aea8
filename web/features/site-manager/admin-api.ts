import { createApi } from '@reduxjs/toolkit/query/react';
import type { Explanation } from '#domain/order/explain.ts';
import type { OrderStatus, StaffStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { api, type CallError, toCallError } from '../../lib/http/api.ts';
import { axiosBaseQuery, CACHE_SECONDS, getMessageText } from '../../lib/http/base-query.ts';
import { createIdempotencyKeys, withIdempotencyKey } from '../../lib/http/idempotency-keys.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import { pagedBy, type PageStart, type ListPage } from '../../lib/paged-list.ts';
import type {
  AdminOrder,
  ContactMessage,
  CountedProduct,
  DayOfSales,
  Health,
  MoneyList,
  MoneyRow,
  PriceSince,
  ProductFields,
  Stats,
  StockRecord,
  Subscriber,
} from './admin-types.ts';

/** The order list can be filtered by status, and by a text in number, name or email address. */
export type OrderFilter = { readonly status?: OrderStatus; readonly q?: string };

/** The periods of the sales chart, in days. */
export const periods = [30, 90, 365] as const;
export type Period = (typeof periods)[number];

/** Page sizes fill whole rows of cards, or one or two screens of a table. */
export const CARDS = 12;
export const ROWS = 20;
export const LINES = 40;

export const tags = ['Figures', 'Sales', 'Orders', 'Products', 'Subscribers', 'Messages', 'Health', 'Payments', 'Invoices'] as const;
export type Tag = (typeof tags)[number];

export const stockUrl = (id: ProductId): string => `/admin/stock/${encodeURIComponent(id)}`;
const productUrl = (id: ProductId): string => `/product/${encodeURIComponent(id)}`;
export const orderUrl = (id: OrderId, command: string): string => `/admin/order/${encodeURIComponent(id)}/${command}`;

const NOT_SAVED = 'Failed to save product';

const additions = createIdempotencyKeys();

export const queryResult = async <Answer>(
  send: () => Promise<Answer>,
  fallback: string,
): Promise<{ data: Answer } | { error: CallError }> => {
  try {
    return { data: await send() };
  } catch (error) {
    return { error: toCallError(error, fallback) };
  }
};

/** The answer of a list: its rows under this key, and the cursor of the next page. */
export type Cursored<Key extends string, Row> = Readonly<Record<Key, readonly Row[]>> & { readonly nextCursor: string | null };

export const toPage = <Row>({ nextCursor }: Pick<Cursored<never, Row>, 'nextCursor'>, rows: readonly Row[]): ListPage<Row> => ({
  rows,
  next: nextCursor ?? undefined,
});

/** Rows of payments without an order have no id, so their time and amount identify them. */
const identify = (row: Omit<MoneyRow, '_id'>): MoneyRow => ({ ...row, _id: row.orderId ?? `${row.at} ${row.received} ${row.mismatch}` });

type Move = {
  readonly id: OrderId;
  readonly status: StaffStatus;
  readonly note: string;
  /** The state of delivery, for an order that is shipped. */
  readonly placeOfSupply?: string;
};

/** These tags are invalidated when an order moves or a product changes, after a refusal too, because the page was then outdated. */
const ORDER_MOVED = ['Orders', 'Sales', 'Figures', 'Payments'] as const;
const PRODUCT_CHANGED = ['Products', 'Figures'] as const;

export const adminApi = createApi({
  reducerPath: 'admin',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  // The default would delay an invalidation until other requests have finished.
  invalidationBehavior: 'immediately',
  // Cached data are shown at once, and refetched.
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
      query: (id) => ({ url: `${productUrl(id)}/prices` }),
      transformResponse: ({ prices }: { readonly prices: readonly PriceSince[] }) => prices,
      providesTags: ['Products'],
    }),

    orders: build.infiniteQuery<ListPage<AdminOrder>, OrderFilter, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to fetch orders',
        url: '/admin/orders',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: (answer: Cursored<'orders', AdminOrder>) => toPage(answer, answer.orders),
      infiniteQueryOptions: pagedBy(CARDS),
      providesTags: ['Orders'],
    }),

    explanation: build.query<Explanation, OrderId>({
      query: (id) => ({ url: `/order/${encodeURIComponent(id)}/explain` }),
      providesTags: ['Orders', 'Payments'],
    }),

    products: build.infiniteQuery<ListPage<StaffProductView>, { readonly q?: string }, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to load products.',
        url: '/product',
        params: { ...queryArg, sort: 'name', ...pageParam },
      }),
      transformResponse: (rows: readonly StaffProductView[], meta) => ({ rows, next: nextCursor(meta?.link), total: meta?.totalCount }),
      infiniteQueryOptions: pagedBy(ROWS),
      providesTags: ['Products'],
    }),

    stock: build.query<StockRecord, ProductId>({
      query: (id) => ({ url: stockUrl(id), fallback: 'The stock could not be loaded' }),
      providesTags: ['Products'],
    }),

    countedProducts: build.infiniteQuery<ListPage<CountedProduct>, { readonly low?: true }, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to load the stock.',
        url: '/admin/stock',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: (answer: Cursored<'products', CountedProduct>) => toPage(answer, answer.products),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Products'],
    }),

    subscribers: build.infiniteQuery<ListPage<Subscriber>, void, PageStart>({
      query: ({ pageParam }) => ({ fallback: 'Failed to fetch subscribers', url: '/subscribe', params: pageParam }),
      transformResponse: (rows: readonly Subscriber[], meta) => ({ rows, next: nextCursor(meta?.link) }),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Subscribers'],
    }),

    contacts: build.infiniteQuery<ListPage<ContactMessage>, void, PageStart>({
      query: ({ pageParam }) => ({ fallback: 'Failed to fetch contacts', url: '/contact', params: pageParam }),
      transformResponse: (answer: Cursored<'data', ContactMessage>) => toPage(answer, answer.data),
      infiniteQueryOptions: pagedBy(ROWS),
      providesTags: ['Messages'],
    }),

    /** `owed` is the sum of the list `with_couriers` in rupees. */
    payments: build.infiniteQuery<ListPage<MoneyRow> & { readonly owed?: number | undefined }, MoneyList, PageStart>({
      query: ({ queryArg: status, pageParam }) => ({
        fallback: 'Failed to fetch payments',
        url: '/admin/payments',
        params: { status, ...pageParam },
      }),
      transformResponse: ({ owed, ...answer }: Cursored<'payments', Omit<MoneyRow, '_id'>> & { readonly owed?: number }) => ({
        ...toPage(answer, answer.payments.map(identify)),
        owed,
      }),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Payments'],
    }),

    /** Fails with 409, `current` and `changedBy` when the order's status is no longer the one shown. */
    moveOrder: build.mutation<OrderView, Move>({
      query: ({ id, ...data }) => ({ url: orderUrl(id, 'status'), method: 'PUT', data, fallback: 'The order could not be moved' }),
      invalidatesTags: ORDER_MOVED,
    }),

    /** Corrects the address to which the mails of an order go, and sends those again that were given up. */
    correctEmail: build.mutation<AdminOrder, { readonly id: OrderId; readonly email: string; readonly reason: string }>({
      query: ({ id, ...data }) => ({ url: orderUrl(id, 'email'), method: 'PUT', data, fallback: 'The address could not be corrected' }),
      invalidatesTags: ['Orders'],
    }),

    /** Erases a guest's personal data from this order and all their others, and returns the server's message. */
    eraseGuest: build.mutation<string, OrderId>({
      query: (id) => ({ url: orderUrl(id, 'erase'), method: 'POST', fallback: 'The personal data could not be erased' }),
      transformResponse: getMessageText,
      invalidatesTags: ['Orders', 'Invoices'],
    }),

    /** Sends an idempotency key, so that a repetition after a lost answer adds the product once. */
    addProduct: build.mutation<StaffProductView, ProductFields>({
      queryFn: (fields) => {
        const send = async (key: string) => api.post<StaffProductView>('/product', fields, { headers: { 'Idempotency-Key': key } });
        return queryResult(async () => (await withIdempotencyKey(additions, fields, send)).data, NOT_SAVED);
      },
      invalidatesTags: PRODUCT_CHANGED,
    }),

    /** Sends only changed fields. It fails with 409 and `current` when somebody has changed the product since that revision. */
    reviseProduct: build.mutation<
      StaffProductView,
      { readonly id: ProductId; readonly changes: Partial<ProductFields>; readonly expectedRevision: number }
    >({
      query: ({ id, changes, expectedRevision }) => ({
        url: productUrl(id),
        method: 'PUT',
        data: { ...changes, expectedRevision },
        fallback: NOT_SAVED,
      }),
      invalidatesTags: PRODUCT_CHANGED,
    }),

    removeProduct: build.mutation<void, ProductId>({
      query: (id) => ({ url: productUrl(id), method: 'DELETE', fallback: '❌ Failed to delete' }),
      invalidatesTags: PRODUCT_CHANGED,
    }),

    /** Returns the picture's URL. `onProgress` gets the share that was sent, from 0 to 1. */
    uploadPicture: build.mutation<string, { readonly file: File; readonly onProgress: (share: number) => void }>({
      queryFn: ({ file, onProgress }) => {
        const upload = api.post<{ readonly url: string }>('/product/pictures', file, {
          headers: { 'Content-Type': file.type || 'application/octet-stream' },
          onUploadProgress: ({ loaded, total }) => onProgress(total === undefined || total === 0 ? 0 : loaded / total),
        });
        return queryResult(async () => (await upload).data.url, 'The picture could not be sent');
      },
    }),
  }),
});

export const { useStatsQuery, useSalesQuery, useHealthQuery, usePricesQuery, useExplanationQuery, useStockQuery } = adminApi;
export const { useOrdersInfiniteQuery, useProductsInfiniteQuery, useCountedProductsInfiniteQuery } = adminApi;
export const { useSubscribersInfiniteQuery, useContactsInfiniteQuery, usePaymentsInfiniteQuery } = adminApi;
export const { useMoveOrderMutation, useCorrectEmailMutation, useEraseGuestMutation, useUploadPictureMutation } = adminApi;
export const { useAddProductMutation, useReviseProductMutation, useRemoveProductMutation } = adminApi;
