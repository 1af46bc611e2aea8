import { setTimeout as pause } from 'node:timers/promises';

import { Cookies } from '../journeys/browsing.ts';
import { Resources } from '../../platform/resources.ts';
import { startShop } from './shop-server.ts';
import { sampleProduct } from './samples/sample-products.ts';
import { sampleShipping } from './samples/sampled-orders.ts';
import type { StockedShop } from './stocked-shop.ts';

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

/** The returned function places the order and resolves with its id. */
const prepareOrder = async (browser: Browser, url: string): Promise<() => Promise<string>> => {
  await browser.ask('POST', `${url}/api/cart/add-to-cart`, { _id: sampleProduct(0).id });
  const created = await browser.ask('POST', `${url}/api/order/create-order`, {
    shipping: sampleShipping(),
    giftWrap: false,
    giftMessage: '',
  });
  const [, id] = /"order":\{"_id":"([^"]+)"/.exec(created.body) ?? [];
  if (id === undefined) throw new Error(`An order was answered ${created.status} ${created.body}`);
  return async () => {
    const { status, body } = await browser.ask('PUT', `${url}/api/order/place-order/${id}`, { method: 'COD' });
    if (status !== 200) throw new Error(`Placing was answered ${status} ${body}`);
    return id;
  };
};

const WARM_UP = 20;
const SAMPLES = 300;
/** Between two orders, so that the shop is at rest. */
const PAUSE_MS = 5;

/**
 * Times in ms from the request that places an order in one process until another process shows it in My Orders, while the projections run
 * in a third: the median, and the time within which 99 of 100 are shown.
 */
export const measureVisible = async ({ dataDir, shoppers }: StockedShop): Promise<{ readonly median: number; readonly p99: number }> => {
  const opened = new Resources();
  try {
    const one = await startShop(dataDir, opened, { part: 'http', seed: 'none' });
    const other = await startShop(dataDir, opened, { part: 'http', seed: 'none' });
    // Each user orders a few times, so that the lists have the usual length.
    const browsers = shoppers.map((session) => new Browser(session));
    const taken: number[] = [];
    for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
      const browser = browsers[(sample + WARM_UP) % browsers.length];
      if (!browser) break;
      const place = await prepareOrder(browser, one);
      await pause(PAUSE_MS);
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
    const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? Number.NaN;
    return { median: at(0.5), p99: at(0.99) };
  } finally {
    await opened.close();
  }
};
