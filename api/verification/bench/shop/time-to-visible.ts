import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import { Cookies } from '../../journeys/browsing.ts';
import type { Resources } from '../../../platform/resources.ts';
import { atRest } from './at-rest.ts';
import { startShop } from './shop-server.ts';
import { shipping } from './shop-writes.ts';
import type { StockedShop } from './stocked-shop.ts';

/** From the request that places an order in one process until another process shows it in My Orders. */
export type TimeToVisible = { readonly median: number; readonly p99: number };

type Answer = { readonly status: number; readonly body: string };

class Browser {
  readonly #cookies = new Cookies();

  constructor(session: string) {
    this.#cookies.keep(session.split('; '));
  }

  async ask(method: string, address: string, body?: object): Promise<Answer> {
    const headers = { cookie: String(this.#cookies), 'Content-Type': 'application/json' };
    const answer = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    this.#cookies.keep(answer.headers.getSetCookie());
    return { status: answer.status, body: await answer.text() };
  }
}

/** Prepares an order; the returned function places it and resolves with its id. */
const placed = async (browser: Browser, url: string, product: string): Promise<() => Promise<string>> => {
  await browser.ask('POST', `${url}/api/cart/add-to-cart`, { _id: product });
  const created = await browser.ask('POST', `${url}/api/order/create-order`, { shipping: shipping(), giftWrap: false, giftMessage: '' });
  const [, id] = /"order":\{"_id":"([^"]+)"/.exec(created.body) ?? [];
  if (id === undefined) throw new Error(`An order was answered ${created.status} ${created.body}`);
  return async () => {
    const { status, body } = await browser.ask('PUT', `${url}/api/order/place-order/${id}`, { method: 'COD' });
    if (status !== 200) throw new Error(`Placing was answered ${status} ${body}`);
    return id;
  };
};

const WARM_UP = 20;
/** Between two orders, in ms, so that the shop is at rest. */
const REST = 5;

/**
 * Places orders one after the other in a process that only answers requests, and looks for each in a second one, while the worker runs in a
 * third.
 */
export const measureVisible = async (shop: StockedShop, product: string, samples: number, opened: Resources): Promise<TimeToVisible> => {
  const { url: one } = await startShop(shop.dataDir, opened, { part: 'http', seed: 'none' });
  const { url: other } = await startShop(shop.dataDir, opened, { part: 'http', seed: 'none' });
  await atRest(opened.with(new pg.Pool({ connectionString: shop.connectionString, max: 1 }), (pool) => pool.end()));
  // Each user orders a few times, so that the lists have the usual length.
  const browsers = shop.shoppers.map((session) => new Browser(session));
  const taken: number[] = [];
  for (let sample = -WARM_UP; sample < samples; sample++) {
    const browser = browsers[(sample + WARM_UP) % browsers.length];
    if (!browser) break;
    const place = await placed(browser, one, product);
    await pause(REST);
    const began = performance.now();
    const id = await place();
    for (let isShown = false; !isShown;) {
      const { status, body } = await browser.ask('GET', `${other}/api/order/get-AllOrders`);
      if (status !== 200) throw new Error(`My Orders was answered ${status} ${body}`);
      isShown = body.includes(id);
    }
    if (sample >= 0) taken.push(performance.now() - began);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
};
