import type { AxiosRequestConfig } from 'axios';
import type { CheckoutFields } from '#domain/order/checkout.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import type { InvoiceView } from '#domain/invoice/view.ts';
import type { Explanation } from '#domain/order/explain.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Api } from '../../lib/http/api.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import { messageIn } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** The `Idempotency-Key` header makes a repeated call take effect once. */
const once = (key: string): AxiosRequestConfig => ({ headers: { 'Idempotency-Key': key } });

const path = (call: string, id: string): string => `/order/${call}/${encodeURIComponent(id)}`;

/** The same version of the cart gives the same order; changed address or gift options revise it. */
export const createOrder = async (api: Api, form: CheckoutFields, key: string): Promise<OrderView> =>
  (await api.post<{ order: OrderView }>('/order/create-order', form, once(key))).data.order;

export const placeOrder = async (api: Api, id: string, method: PaymentMethod, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('place-order', id), { method }, once(key))).data;

/** Orders fetched at a time. */
export const MY_ORDERS_PAGE = 20;

/** `next`: the cursor of the next page; undefined on the last. */
export type OrdersPage = { readonly orders: readonly OrderView[]; readonly next: string | undefined };

/** Placed orders of the signed-in shopper, newest first: so many, from this cursor on. */
export const fetchMyOrders = async (api: Api, params: { readonly limit: number; readonly cursor?: string }): Promise<OrdersPage> => {
  const { data, headers } = await api.get<{ orders: readonly OrderView[] }>('/order/get-AllOrders', { params });
  const link: unknown = headers['link'];
  return { orders: data.orders, next: nextCursor(typeof link === 'string' ? link : undefined) };
};

export const fetchOrder = async (api: Api, id: string): Promise<OrderView> => (await api.get<OrderView>(path('get-order', id))).data;

export const cancelOrder = async (api: Api, id: string, reason: string, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('cancel', id), { reason }, once(key))).data;

export type Invoice = InvoiceView & { readonly totalInWords: string };

/** The gateway's page on which the order is paid. While one is open, the same again. */
export const payOrder = async (api: Api, id: string): Promise<string> => (await api.post<{ url: string }>(path('pay', id))).data.url;

/** `paymentFailure`: why the last try to pay failed, while the order is due. */
export type CheckedOrder = OrderView & { readonly paymentFailure?: string };

/** The order after the gateway was asked for its payments. */
export const checkPayment = async (api: Api, id: string): Promise<CheckedOrder> =>
  (await api.post<CheckedOrder>(path('check-payment', id))).data;

export type ReturnForm = { readonly reason: string; readonly opened: boolean };

export const returnOrder = async (api: Api, id: string, form: ReturnForm, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('return', id), form, once(key))).data;

const orderApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** What the amounts consist of; asked anew when another payment is shown. */
    explanation: build.query<Explanation, Pick<OrderView, '_id' | 'payment'>>({
      query: ({ _id }) => ({ url: `/order/${encodeURIComponent(_id)}/explain` }),
    }),
    /** The invoice of an order that has shipped, with its credit notes; asked anew when another status is shown. */
    invoice: build.query<Invoice, { readonly _id: string; readonly status?: OrderView['status'] }>({
      query: ({ _id }) => ({ url: `/order/${encodeURIComponent(_id)}/invoice` }),
    }),
    /** Erases the personal data of all guest orders made in this browser and ends its session; returns the server's message. */
    eraseGuest: build.mutation<string, OrderId>({
      query: (id) => ({ url: path('erase', id), method: 'POST', fallback: 'Your personal data could not be erased' }),
      transformResponse: messageIn,
    }),
  }),
});

export const { useExplanationQuery, useInvoiceQuery, useEraseGuestMutation } = orderApi;
