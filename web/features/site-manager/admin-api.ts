import { createApi } from '@reduxjs/toolkit/query/react';
import type { Explanation } from '#domain/order/explain.ts';
import type { NextStep } from '#domain/order/next-steps.ts';
import type { OrderStatus, StaffStatus } from '#domain/order/rules.ts';
import type { ShipmentTexts } from '#domain/order/shipment-texts.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { api, type CallError, toCallError } from '../../lib/http/api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from '../../lib/http/base-query.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import { joinPages, type ListPage, MOST_AT_ONCE, pagedBy, type PageStart } from '../../lib/paged-list.ts';
import type {
  AdminOrder,
  ContactMessage,
  Health,
  MoneyList,
  MoneyRow,
  PaymentSums,
  PriceSince,
  ProductCounts,
  ProductFields,
  Sales,
  Stats,
  StockCounts,
  StockedProduct,
  StockList,
  StockRecord,
  Subscriber,
} from './admin-types.ts';

/** The order list can be filtered by what is next, by status, and by a text in number, name or email address. It is sorted newest first. */
export type OrderFilter = { readonly next?: NextStep; readonly status?: OrderStatus; readonly q?: string; readonly sort?: 'oldest' };

/** The messages can be filtered by whether they have an answer, and by a text in name, address or message. */
export type MessageFilter = { readonly state?: ContactMessage['state']; readonly q?: string };

/** Products that have all of these flags, and a text in their names. */
export type ProductFilter = { readonly q?: string } & Readonly<Partial<Record<ProductFlag, boolean>>>;
type ProductFlag = 'isFeatured' | 'bestsellers' | 'isTrending' | 'inStock' | 'pictured';

/** A list of products by their stock, and a text in their names. */
export type StockFilter = { readonly list: StockList; readonly q?: string };

/** The periods of the sales chart, in days. */
export const periods = [30, 90, 365] as const;
export type Period = (typeof periods)[number];

/** Page sizes fill whole rows of cards, or one or two screens of a table. */
export const CARDS = 12;
export const ROWS = 20;
export const LINES = 40;
/** A selection has at most so many orders, which a browser still holds. */
export const MOST_SELECTED = 5000;

export const tags = [
  'Figures',
  'Sales',
  'Orders',
  'Products',
  'Subscribers',
  'Messages',
  'Health',
  'Payments',
  'Invoices',
  'Reviews',
] as const;
export type Tag = (typeof tags)[number];

export const stockUrl = (id: ProductId): string => `/admin/stock/${encodeURIComponent(id)}`;
const productUrl = (id: ProductId): string => `/product/${encodeURIComponent(id)}`;
export const orderUrl = (id: OrderId, command: string): string => `/admin/order/${encodeURIComponent(id)}/${command}`;

const NOT_SAVED = 'Failed to save product';

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

type Move = Partial<ShipmentTexts> & {
  readonly id: OrderId;
  readonly status: StaffStatus;
  readonly note: string;
  /** The state of delivery, for an order that is shipped. */
  readonly placeOfSupply?: string;
};

/** These tags are invalidated when an order moves or a product changes, after a refusal too, because the page was then outdated. */
export const ORDER_MOVED = ['Orders', 'Sales', 'Figures', 'Payments'] as const;
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

    sales: build.query<Sales, Period>({ query: (days) => ({ url: '/admin/sales', params: { days } }), providesTags: ['Sales'] }),

    health: build.query<Health, void>({ query: () => ({ url: '/admin/health' }), providesTags: ['Health'] }),

    prices: build.query<readonly PriceSince[], ProductId>({
      query: (id) => ({ url: `${productUrl(id)}/prices` }),
      transformResponse: ({ prices }: { readonly prices: readonly PriceSince[] }) => prices,
      providesTags: ['Products'],
    }),

    orders: build.infiniteQuery<ListPage<AdminOrder>, OrderFilter, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'The orders could not be loaded. Check your connection.',
        url: '/admin/orders',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: (answer: Cursored<'orders', AdminOrder>) => toPage(answer, answer.orders),
      infiniteQueryOptions: pagedBy(CARDS),
      providesTags: ['Orders'],
    }),

    /** How many orders are in each list of what is next. */
    nextCounts: build.query<Readonly<Record<NextStep, number>>, void>({
      query: () => ({ url: '/admin/orders/next' }),
      providesTags: ['Orders'],
    }),

    /** The order with this number as the desk has it, or null. */
    orderByNumber: build.query<AdminOrder | null, string>({
      query: (number) => ({
        url: '/admin/orders',
        params: { number, limit: 1 },
        fallback: 'The order could not be loaded. Check your connection.',
      }),
      transformResponse: ({ orders: [order] }: Cursored<'orders', AdminOrder>) => order ?? null,
      providesTags: ['Orders'],
    }),

    /** All orders of a list, at most `MOST_SELECTED`, from as many calls as that takes. */
    wholeList: build.query<readonly AdminOrder[], OrderFilter>({
      queryFn: (filter) =>
        queryResult(async () => {
          const pages: ListPage<AdminOrder>[] = [];
          let cursor: string | undefined;
          do {
            const params = { ...filter, limit: MOST_AT_ONCE, ...(cursor !== undefined && { cursor }) };
            const { data } = await api.get<Cursored<'orders', AdminOrder>>('/admin/orders', { params });
            const page = toPage(data, data.orders);
            pages.push(page);
            cursor = page.next;
          } while (cursor !== undefined && pages.length * MOST_AT_ONCE < MOST_SELECTED);
          return joinPages(pages);
        }, 'The orders could not be selected. Please try again.'),
    }),

    explanation: build.query<Explanation, OrderId>({
      query: (id) => ({ url: `/order/${encodeURIComponent(id)}/explain` }),
      providesTags: ['Orders', 'Payments'],
    }),

    products: build.infiniteQuery<ListPage<StaffProductView>, ProductFilter, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to load products.',
        url: '/product',
        params: { ...queryArg, sort: 'name', ...pageParam },
      }),
      transformResponse: (rows: readonly StaffProductView[], meta) => ({ rows, next: nextCursor(meta?.link), total: meta?.totalCount }),
      infiniteQueryOptions: pagedBy(ROWS),
      providesTags: ['Products'],
    }),

    /** How many products are in each list. */
    productCounts: build.query<ProductCounts, void>({ query: () => ({ url: '/admin/products/counts' }), providesTags: ['Products'] }),

    stock: build.query<StockRecord, ProductId>({
      query: (id) => ({ url: stockUrl(id), fallback: 'The stock could not be loaded. Check your connection.' }),
      providesTags: ['Products'],
    }),

    stockedProducts: build.infiniteQuery<ListPage<StockedProduct> & { readonly counts: StockCounts }, StockFilter, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'The stock could not be loaded. Check your connection.',
        url: '/admin/stock',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: ({ counts, ...answer }: Cursored<'products', StockedProduct> & { readonly counts: StockCounts }) => ({
        ...toPage(answer, answer.products),
        counts,
      }),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Products'],
    }),

    subscribers: build.infiniteQuery<ListPage<Subscriber>, void, PageStart>({
      query: ({ pageParam }) => ({ fallback: 'Failed to fetch subscribers', url: '/subscribe', params: pageParam }),
      transformResponse: (rows: readonly Subscriber[], meta) => ({ rows, next: nextCursor(meta?.link) }),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Subscribers'],
    }),

    /** `waiting` is the number of messages without an answer. */
    contacts: build.infiniteQuery<ListPage<ContactMessage> & { readonly waiting: number }, MessageFilter, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'Failed to fetch contacts',
        url: '/contact',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: ({ waiting, ...answer }: Cursored<'data', ContactMessage> & { readonly waiting: number }) => ({
        ...toPage(answer, answer.data),
        waiting,
      }),
      infiniteQueryOptions: pagedBy(ROWS),
      providesTags: ['Messages'],
    }),

    /** Mails an answer. Fails with 409 when there is one already, unless `again` is set. */
    answerMessage: build.mutation<ContactMessage, { readonly id: string; readonly answer: string; readonly again: boolean }>({
      query: ({ id, ...data }) => ({
        url: `/contact/${id}`,
        method: 'PUT',
        data,
        isOnce: true,
        fallback: 'The answer could not be sent. Please try again.',
      }),
      invalidatesTags: ['Messages'],
    }),

    paymentSums: build.query<PaymentSums, void>({ query: () => ({ url: '/admin/payments/summary' }), providesTags: ['Payments'] }),

    payments: build.infiniteQuery<ListPage<MoneyRow>, MoneyList, PageStart>({
      query: ({ queryArg: status, pageParam }) => ({
        fallback: 'The payments could not be loaded. Check your connection.',
        url: '/admin/payments',
        params: { status, ...pageParam },
      }),
      transformResponse: (answer: Cursored<'payments', Omit<MoneyRow, '_id'>>) => toPage(answer, answer.payments.map(identify)),
      infiniteQueryOptions: pagedBy(LINES),
      providesTags: ['Payments'],
    }),

    /** Fails with 409, `current` and `changedBy` when the order's status is no longer the one shown. */
    moveOrder: build.mutation<OrderView, Move>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'status'),
        method: 'PUT',
        data,
        fallback: 'The order could not be moved. Please try again.',
      }),
      invalidatesTags: ORDER_MOVED,
    }),

    /** Replaces courier, number and link of an order that is on its way. */
    correctShipment: build.mutation<AdminOrder, ShipmentTexts & { readonly id: OrderId }>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'shipment'),
        method: 'PUT',
        data,
        fallback: 'The shipment could not be corrected. Please try again.',
      }),
      invalidatesTags: ['Orders'],
    }),

    /** Sets or takes back the desk's mark on a confirmed order. */
    markPacked: build.mutation<OrderView, { readonly id: OrderId; readonly packed: boolean }>({
      query: ({ id, packed }) => ({
        url: orderUrl(id, 'packed'),
        method: 'PUT',
        data: { packed },
        fallback: 'The order could not be marked. Please try again.',
      }),
      invalidatesTags: ['Orders'],
    }),

    /** Corrects the address to which the mails of an order go, and sends those again that were given up. */
    correctEmail: build.mutation<AdminOrder, { readonly id: OrderId; readonly email: string; readonly reason: string }>({
      query: ({ id, ...data }) => ({
        url: orderUrl(id, 'email'),
        method: 'PUT',
        data,
        fallback: 'The address could not be corrected. Please try again.',
      }),
      invalidatesTags: ['Orders'],
    }),

    addProduct: build.mutation<StaffProductView, ProductFields>({
      query: (data) => ({ url: '/product', method: 'POST', data, isOnce: true, fallback: NOT_SAVED }),
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
        return queryResult(async () => (await upload).data.url, 'The picture could not be sent. Please try again.');
      },
    }),
  }),
});

export const { useStatsQuery, useSalesQuery, useHealthQuery, usePricesQuery, useExplanationQuery, useStockQuery } = adminApi;
export const { useNextCountsQuery, useOrderByNumberQuery, useLazyWholeListQuery } = adminApi;
export const { useOrdersInfiniteQuery, useProductsInfiniteQuery, useProductCountsQuery, useStockedProductsInfiniteQuery } = adminApi;
export const { useSubscribersInfiniteQuery, useContactsInfiniteQuery, usePaymentsInfiniteQuery, usePaymentSumsQuery } = adminApi;
export const { useCorrectShipmentMutation } = adminApi;
export const { useMarkPackedMutation, useMoveOrderMutation, useCorrectEmailMutation, useUploadPictureMutation } = adminApi;
export const { useAnswerMessageMutation } = adminApi;
export const { useAddProductMutation, useReviseProductMutation, useRemoveProductMutation } = adminApi;
