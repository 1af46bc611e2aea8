import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

import type { Browser } from '../../accounts/testing/browser.ts';
import { Resources } from '../../platform/resources.ts';
import { startShop } from './shop-server.ts';
import { sampleProduct } from './samples/sample-products.ts';
import { sampleShipping } from './samples/sampled-orders.ts';
import type { StockedShop } from './stocked-shop.ts';

const Created = z.object({ order: z.object({ _id: z.string() }) });

/** Asks at this address. Throws unless the answer is a 200 or 201. */
const ask = async (at: Browser, method: string, address: string, body?: object): Promise<unknown> => {
  const { status, body: answer } = await at.send(method, address, { body });
  if (status !== 200 && status !== 201) throw new Error(`${method} ${address} was answered ${status} ${JSON.stringify(answer)}`);
  return answer;
};

/** The returned function places the order and resolves with its id. */
const prepareOrder = async (at: Browser, url: string): Promise<() => Promise<string>> => {
  await ask(at, 'POST', `${url}/api/cart/add-to-cart`, { _id: sampleProduct(0).id });
  const order = { shipping: sampleShipping(), giftWrap: false, giftMessage: '' };
  const { _id: id } = Created.parse(await ask(at, 'POST', `${url}/api/order/create-order`, order)).order;
  return async () => {
    await ask(at, 'PUT', `${url}/api/order/place-order/${id}`, { method: 'COD' });
    return id;
  };
};

const WARM_UP = 20;
const SAMPLES = 300;
/** Between two orders, so that the shop is at rest. */
const PAUSE_MS = 5;

/**
 * The time in ms from the request that places an order in one process until another process shows it in My Orders, while the projections
 * run in a third: within it 99 of 100 are shown.
 */
export const measureVisible = async ({ dataDir, shoppers }: StockedShop): Promise<number> => {
  const opened = new Resources();
  try {
    const one = await startShop(dataDir, opened, { part: 'http', seed: 'none' });
    const other = await startShop(dataDir, opened, { part: 'http', seed: 'none' });
    const taken: number[] = [];
    for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
      const at = shoppers[(sample + WARM_UP) % shoppers.length];
      if (!at) break;
      const place = await prepareOrder(at, one);
      await pause(PAUSE_MS);
      const began = performance.now();
      const id = await place();
      while (!JSON.stringify(await ask(at, 'GET', `${other}/api/order/get-AllOrders`)).includes(id));
      if (sample >= 0) taken.push(performance.now() - began);
    }
    taken.sort((a, b) => a - b);
    return taken[Math.floor(taken.length * 0.99)] ?? Number.NaN;
  } finally {
    await opened.close();
  }
};
