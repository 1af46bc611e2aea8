import type { AxiosRequestConfig } from 'axios';
import type { CheckoutFields, SavedAddress } from '#domain/order/checkout.ts';
import type { PaymentMethod, ReturnLine, ShippingAddress } from '#domain/order/events.ts';
import type { InvoiceView } from '#domain/invoice/view.ts';
import type { Explanation } from '#domain/order/explain.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { type Api, getHttpStatus } from '../../lib/http/api.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import { getMessageText } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** Returns headers with an `Idempotency-Key`, so that a repeated call takes effect once. */
const once = (key: string): AxiosRequestConfig => ({ headers: { 'Idempotency-Key': key } });

const path = (call: string, id: string): string => `/order/${call}/${encodeURIComponent(id)}`;

/** Creates an order, or revises it: the same version of the cart always gives the same order, with the latest address and gift options. */
export const createOrder = async (api: Api, form: CheckoutFields, key: string): Promise<OrderView> =>
  (await api.post<{ order: OrderView }>('/order/create-order', form, once(key))).data.order;

/** `again` places the order although another one has taken its bottles. */
export type PlaceRequest = { readonly id: string; readonly method: PaymentMethod; readonly again?: true | undefined };

export const placeOrder = async (api: Api, { id, ...body }: PlaceRequest, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('place-order', id), body, once(key))).data;

export const MY_ORDERS_PAGE = 20;

/** `next` is the cursor of the next page; the last page has none. */
export type OrdersPage = { readonly orders: readonly OrderView[]; readonly next: string | undefined };

/** Fetches placed orders of the signed-in shopper, newest first: `limit` orders from this cursor on. */
export const fetchMyOrders = async (api: Api, params: { readonly limit: number; readonly cursor?: string }): Promise<OrdersPage> => {
  const { data, headers } = await api.get<{ orders: readonly OrderView[] }>('/order/get-AllOrders', { params });
  const link: unknown = headers['link'];
  return { orders: data.orders, next: nextCursor(typeof link === 'string' ? link : undefined) };
};

/** `byLink`: a mailed link opened the order in this session, which is not its own. `mailProblem`: staff are shown another shopper's order. */
export type FetchedOrder = OrderView & { readonly byLink?: true; readonly mailProblem?: object | null };

export const fetchOrder = async (api: Api, id: string): Promise<FetchedOrder> => (await api.get<FetchedOrder>(path('get-order', id))).data;

export const cancelOrder = async (api: Api, id: string, reason: string, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('cancel', id), { reason }, once(key))).data;

export type Invoice = InvoiceView & { readonly totalInWords: string };

/** Returns the URL of the gateway's page for paying the order. While one page is open, the URL stays the same. */
export const payOrder = async (api: Api, id: string): Promise<string> => (await api.post<{ url: string }>(path('pay', id))).data.url;

/** `paymentFailure` says why the last payment failed, while the order is due. */
export type CheckedOrder = OrderView & { readonly paymentFailure?: string };

/** Makes the server ask the gateway for the order's payments, and returns the order after that. */
export const checkPayment = async (api: Api, id: string): Promise<CheckedOrder> =>
  (await api.post<CheckedOrder>(path('check-payment', id))).data;

/** Returns the product as the catalogue has it now; undefined if it was removed. */
export const findProduct = async (api: Api, id: ProductId): Promise<ProductView | undefined> => {
  try {
    return (await api.get<ProductView>(`/product/${encodeURIComponent(id)}`)).data;
  } catch (error) {
    if (getHttpStatus(error) === 404) return undefined;
    throw error;
  }
};

export type ReturnForm = { readonly lines: readonly ReturnLine[]; readonly reason: string; readonly opened: boolean };

export const returnOrder = async (api: Api, id: string, form: ReturnForm, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('return', id), form, once(key))).data;

/** Returns the addresses that the signed-in shopper keeps, the default first. */
export const fetchAddresses = async (api: Api): Promise<readonly SavedAddress[]> =>
  (await api.get<{ addresses: readonly SavedAddress[] }>('/user/addresses')).data.addresses;

export const saveAddress = async (api: Api, address: CheckoutFields['shipping'], key: string): Promise<SavedAddress> =>
  (await api.post<SavedAddress>('/user/addresses', address, once(key))).data;

/** Returns the address of the newest order that was placed in this session or with this account. */
export const fetchLastAddress = async (api: Api): Promise<ShippingAddress | null> =>
  (await api.get<{ shipping: ShippingAddress | null }>('/order/last-address')).data.shipping;

/** What a guest knows of an order: both are texts as typed. */
export type SoughtOrder = { readonly orderNumber: string; readonly email: string };

const orderApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    explanation: build.query<Explanation, Pick<OrderView, '_id' | 'payment'>>({
      query: ({ _id }) => ({ url: `/order/${encodeURIComponent(_id)}/explain` }),
    }),
    /** Returns the invoice of a shipped order with its credit notes. A changed status, and a return that has come, make it fetch again. */
    invoice: build.query<Invoice, { readonly _id: string; readonly status?: OrderView['status']; readonly received?: number }>({
      query: ({ _id }) => ({ url: `/order/${encodeURIComponent(_id)}/invoice` }),
    }),
    /** Returns the text of the order's receipt. The answer is 503 until its newest event is signed. Not kept, since a later one proves more. */
    fetchReceipt: build.mutation<string, OrderId>({
      query: (id) => ({
        url: `/order/${encodeURIComponent(id)}/receipt`,
        method: 'GET',
        fallback: 'The receipt could not be loaded. Please try again.',
      }),
    }),
    /** Opens the order of a mailed link in this session, and returns its id. */
    openOrder: build.mutation<OrderId, string>({
      query: (token) => ({ url: '/order/open', method: 'POST', data: { token } }),
      transformResponse: ({ _id }: OrderView) => _id,
    }),
    /** Asks for a mail with the link. */
    findOrder: build.mutation<void, SoughtOrder>({
      query: (data) => ({ url: '/order/find', method: 'POST', data, fallback: 'Your order could not be looked for. Please try again.' }),
      transformResponse: () => undefined,
    }),
    /** Erases the personal data of all guest orders made in this browser, ends its session and returns the server's message. */
    eraseGuest: build.mutation<string, OrderId>({
      query: (id) => ({ url: path('erase', id), method: 'POST', fallback: 'Your personal data could not be erased. Please try again.' }),
      transformResponse: getMessageText,
    }),
  }),
});

export const {
  useExplanationQuery,
  useFetchReceiptMutation,
  useInvoiceQuery,
  useOpenOrderMutation,
  useFindOrderMutation,
  useEraseGuestMutation,
} = orderApi;
