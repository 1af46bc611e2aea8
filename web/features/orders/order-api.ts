import type { AxiosRequestConfig } from 'axios';
import type { CheckoutForm } from '#domain/order/checkout-form.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import { api, type Api } from '../../lib/http/api.ts';

/** A key of the shopper's intent: the same call with it, however often, happens once. */
const once = (key: string): AxiosRequestConfig => ({ headers: { 'Idempotency-Key': key } });

const path = (call: string, id: string): string => `/order/${call}/${encodeURIComponent(id)}`;

/** The same version of the cart is the same order, its address and gift options revised when they differ (decisions, section 3). */
export const createOrder = async (api: Api, form: CheckoutForm, key: string): Promise<OrderView> =>
  (await api.post<{ order: OrderView }>('/order/create-order', form, once(key))).data.order;

export const placeOrder = async (api: Api, id: string, method: PaymentMethod, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('place-order', id), { method }, once(key))).data;

/** The placed orders of who is signed in, newest first. */
export const fetchMyOrders = async (api: Api): Promise<readonly OrderView[]> =>
  (await api.get<{ orders: readonly OrderView[] }>('/order/get-AllOrders')).data.orders;

export const fetchOrder = async (api: Api, id: string): Promise<OrderView> => (await api.get<OrderView>(path('get-order', id))).data;

export const cancelOrder = async (api: Api, id: string, reason: string, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('cancel', id), { reason }, once(key))).data;

/** Erases the personal data of all orders made in this browser, which is signed out of them; answers with the server's sentence for the guest. */
export const eraseGuest = async (id: string): Promise<string> => (await api.post<{ message: string }>(path('erase', id))).data.message;

export type ReturnForm = { readonly reason: string; readonly opened: boolean };

export const returnOrder = async (api: Api, id: string, form: ReturnForm, key: string): Promise<OrderView> =>
  (await api.put<OrderView>(path('return', id), form, once(key))).data;
