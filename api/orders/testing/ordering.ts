import { START, type LogPosition, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import { home } from '#domain/testing/orders.ts';

import type { Answer } from '../../accounts/testing/browser.ts';
import { logIn, signUp, alice } from '../../accounts/testing/people.ts';
import { shopping, type ShoppingBrowser } from '../../cart/testing/shopping.ts';
import { mailedCode } from '../../testing/mailed-code.ts';
import type { TestShop } from '../../testing/test-shop.ts';

export const form = { shipping: home, giftWrap: false, giftMessage: '' };

export type OrderAnswer = Answer & { readonly order: OrderView };

export type OrderingBrowser = ShoppingBrowser & {
  create(body?: unknown): Promise<OrderAnswer>;
  place(id: string, body?: unknown): Promise<OrderAnswer>;
  order(id: string): Promise<OrderAnswer>;
  cancel(id: string, body?: unknown): Promise<OrderAnswer>;
  giveBack(id: string, body?: unknown): Promise<OrderAnswer>;
  move(id: string, status: string, note?: string): Promise<OrderAnswer>;
};

export const ordering = (shop: Pick<TestShop, 'url'>): OrderingBrowser => {
  const at = shopping(shop);
  const put = async (path: string, body: unknown): Promise<OrderAnswer> => {
    const answer = await at.send('PUT', path, { body });
    return { ...answer, order: answer.body as OrderView };
  };
  return {
    ...at,
    create: async (body = form) => {
      const answer = await at.post('/api/order/create-order', body);
      return { ...answer, order: (answer.body as { order: OrderView }).order };
    },
    place: (id, body = { method: 'COD' }) => put(`/api/order/place-order/${id}`, body),
    order: async (id) => {
      const answer = await at.get(`/api/order/get-order/${id}`);
      return { ...answer, order: answer.body as OrderView };
    },
    cancel: (id, body = {}) => put(`/api/order/cancel/${id}`, body),
    giveBack: (id, body = { reason: 'Not for me', opened: false }) => put(`/api/order/return/${id}`, body),
    move: (id, status, note) => put(`/api/admin/order/${id}/status`, { status, note }),
  };
};

/** Returns a browser with the same cookies, at this or another instance. */
export const sameBrowser = (at: OrderingBrowser, shop: Pick<TestShop, 'url'>): OrderingBrowser => {
  const there = ordering(shop);
  for (const [name, value] of at.cookies) there.cookies.set(name, value);
  return there;
};

export const admin = { email: 'admin@ruhani.example', password: 'the keys of the atelier' };
export const auditor = { email: 'auditor@ruhani.example', password: 'the books of the atelier' };

export const signedInAs = async (shop: Pick<TestShop, 'url'>, who: typeof admin): Promise<OrderingBrowser> => {
  const at = ordering(shop);
  const { status } = await logIn(at, who);
  if (status !== 200) throw new Error(`${who.email} could not sign in: ${status}`);
  return at;
};

export const signedUp = async (shop: Pick<TestShop, 'url'>, email: string): Promise<OrderingBrowser> => {
  const at = ordering(shop);
  await signUp({ codeFor: (address) => mailedCode(shop, address) }, at, { ...alice, email });
  return at;
};

/** Returns the order events since this position, oldest first, at most 1,000. */
export const orderEvents = async (
  { store }: Pick<TestShop, 'store'>,
  since: LogPosition = START,
): Promise<readonly Recorded<OrderEvent>[]> => {
  // The page contains the category `order` only, whose events are `OrderEvent`.
  return (await store.page(since, 1_000, ['order'])) as readonly Recorded<OrderEvent>[];
};
