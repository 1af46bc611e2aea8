import { home } from '#domain/testing/orders.ts';
import type { OrderView } from '#domain/order/view.ts';

import type { Browsing, Request } from '../journeys/browsing.ts';
import type { RecordedAnswers } from '../journeys/recorded-answers.ts';

/** A shopper waits this many ms between two attempts. */
const RETRY_DELAY_MS = 100;

const TOO_LATE: ReadonlySet<string> = new Set(['product_out_of_stock', 'not_enough_in_stock']);
const PASSING: ReadonlySet<string> = new Set(['request_under_way', 'conflict']);

type Parts = {
  readonly number: number;
  readonly product: string;
  readonly at: Browsing;
  readonly recorded: RecordedAnswers;
  readonly until: Pick<AbortSignal, 'aborted'>;
};

/** `told` is `placed`, the code of the answer to a shopper who was too late, or the last answer if the outcome is unclear. */
export type Ending = { readonly how: 'placed' | 'too late' | 'unclear'; readonly told: string };

/** Adds one bottle to a new cart, checks out and places the order. While an answer is not final it asks again, perhaps another process. */
export const buyOne = async ({ number, product, at, recorded, until }: Parts): Promise<Ending> => {
  const insist = async (request: Request): Promise<{ readonly body: unknown } | Ending> => {
    const key = at.newId();
    let told = 'nothing';
    while (!until.aborted) {
      const answer = await at.ask({ ...request, key });
      if (answer !== 'unknown') {
        const { status, code = String(status), body } = answer;
        if (status < 400) return { body };
        told = code;
        if (!PASSING.has(code)) return { how: TOO_LATE.has(code) ? 'too late' : 'unclear', told };
      }
      await at.pause(RETRY_DELAY_MS);
    }
    return { how: 'unclear', told };
  };
  const added = await insist({ method: 'POST', path: '/api/cart/add-to-cart', body: { _id: product } });
  if ('how' in added) return added;
  const form = { shipping: home, giftWrap: false, giftMessage: '' };
  const created = await insist({ method: 'POST', path: '/api/order/create-order', body: form });
  if ('how' in created) return created;
  const { _id: id } = (created.body as { readonly order: OrderView }).order;
  recorded.asked.add(id);
  const placed = await insist({ method: 'PUT', path: `/api/order/place-order/${id}`, body: { method: 'COD' } });
  if ('how' in placed) return placed;
  recorded.placed.set(id, { order: placed.body as OrderView, shopper: number });
  return { how: 'placed', told: 'placed' };
};
