import { home, type BrowserShop } from './harness.ts';

export const call = ({ url }: BrowserShop, path: string, method: string, cookie: string, body: unknown): Promise<Response> =>
  fetch(`${url}/api${path}`, { method, headers: { 'Content-Type': 'application/json', cookie }, body: JSON.stringify(body) });

export const getCookies = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');

/** Places a visitor's order of an Oud Saffron Majlis, wrapped as a gift. */
export const placeOrder = async (shop: BrowserShop): Promise<{ readonly id: string; readonly number: string }> => {
  const product: unknown = await (await fetch(`${shop.url}/api/product/oud-saffron-majlis`)).json();
  const cookie = getCookies(await call(shop, '/cart/add-to-cart', 'POST', '', product));
  const form = { shipping: home, giftWrap: true, giftMessage: 'For Amma' };
  const created: { order: { _id: string } } = await (await call(shop, '/order/create-order', 'POST', cookie, form)).json();
  const id = created.order._id;
  const placed: { orderNumber: string } = await (await call(shop, `/order/place-order/${id}`, 'PUT', cookie, { method: 'COD' })).json();
  return { id, number: placed.orderNumber };
};
