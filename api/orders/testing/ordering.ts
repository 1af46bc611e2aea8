import { START, type LogPosition, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent, PaymentMethod } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import { home } from '#domain/testing/orders.ts';
import { oudSaffronMajlis } from '#domain/testing/products.ts';

import { withCookies, type Answer, type Browser } from '../../accounts/testing/browser.ts';
import { logIn, signUp, alice } from '../../accounts/testing/people.ts';
import { shopping, type ShoppingBrowser } from '../../cart/testing/shopping.ts';
import { mailedCode } from '../../testing/mailed-code.ts';
import type { TestShop } from '../../testing/test-shop.ts';

export const form = { shipping: home, giftWrap: false, giftMessage: '' };

export type OrderAnswer = Answer & { readonly order: OrderView };

export type OrderingBrowser = ShoppingBrowser & {
  create(body?: unknown): Promise<OrderAnswer>;
  /** Adds a bottle of Oud Saffron Majlis to the cart and checks out, with these changes of the form. */
  draft(changes?: object): Promise<OrderView>;
  /** Does the same, and places the order. */
  buy(changes?: object, method?: PaymentMethod): Promise<OrderView>;
  /** Opens the page for paying, and returns the id of its link. */
  payLink(id: string): Promise<string>;
  place(id: string, body?: unknown): Promise<OrderAnswer>;
  order(id: string): Promise<OrderAnswer>;
  cancel(id: string, body?: unknown): Promise<OrderAnswer>;
  giveBack(id: string, body?: unknown): Promise<OrderAnswer>;
  /** Decides on a return, or receives its bottles. */
  handleReturn(id: string, body: unknown): Promise<OrderAnswer>;
  /** Accepts a return, and puts its bottles back into stock. */
  takeBack(id: string): Promise<OrderAnswer>;
  move(id: string, status: string, note?: string): Promise<OrderAnswer>;
};

export const ordering = (shop: Pick<TestShop, 'url'>): OrderingBrowser => {
  const at = shopping(shop);
  const put = async (path: string, body: unknown): Promise<OrderAnswer> => {
    const answer = await at.send('PUT', path, { body });
    return { ...answer, order: answer.body as OrderView };
  };
  const create: OrderingBrowser['create'] = async (body = form) => {
    const answer = await at.post('/api/order/create-order', body);
    return { ...answer, order: (answer.body as { order: OrderView }).order };
  };
  const place: OrderingBrowser['place'] = (id, body = { method: 'COD' }) => put(`/api/order/place-order/${id}`, body);
  const handleReturn: OrderingBrowser['handleReturn'] = (id, body) => put(`/api/admin/return/${id}`, body);
  const draft: OrderingBrowser['draft'] = async (changes) => {
    await at.add({ _id: oudSaffronMajlis });
    return (await create({ ...form, ...changes })).order;
  };
  return {
    ...at,
    create,
    place,
    draft,
    buy: async (changes, method = 'COD') => {
      const { status, body, order } = await place((await draft(changes))._id, { method });
      if (status !== 200) throw new Error(`The order was not placed: ${JSON.stringify(body)}`);
      return order;
    },
    payLink: async (id) => {
      const { url } = (await at.post(`/api/order/pay/${id}`, {})).body as { url: string };
      return url.slice(url.lastIndexOf('/') + 1);
    },
    order: async (id) => {
      const answer = await at.get(`/api/order/get-order/${id}`);
      return { ...answer, order: answer.body as OrderView };
    },
    cancel: (id, body = {}) => put(`/api/order/cancel/${id}`, body),
    giveBack: (id, body = { reason: 'Not for me', opened: false }) => put(`/api/order/return/${id}`, body),
    handleReturn,
    takeBack: async (id) => {
      await handleReturn(id, { decision: 'accepted' });
      return handleReturn(id, { received: true, restock: true });
    },
    move: (id, status, note) => put(`/api/admin/order/${id}/status`, { status, note }),
  };
};

/** Returns a browser with the same cookies, at this or another instance. */
export const sameBrowser = (at: Pick<Browser, 'cookies'>, shop: Pick<TestShop, 'url'>): OrderingBrowser =>
  withCookies(ordering(shop), at.cookies);

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
