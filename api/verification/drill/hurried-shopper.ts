import { home } from '#domain/testing/orders.ts';
import type { OrderView } from '#domain/order/view.ts';

import type { Browsing, Request } from '../journeys/browsing.ts';
import type { RecordedAnswers } from '../journeys/recorded-answers.ts';

/** Between two attempts, in ms. */
const AGAIN_AFTER = 100;

/** What a shopper who was too late must be told. */
const TOO_LATE: ReadonlySet<string> = new Set(['product_out_of_stock', 'not_enough_in_stock']);
/** These answers are not final. */
const PASSING: ReadonlySet<string> = new Set(['request_under_way', 'conflict']);

type Parts = {
  readonly number: number;
  readonly product: string;
  readonly at: Browsing;
  readonly recorded: RecordedAnswers;
  readonly until: Pick<AbortSignal, 'aborted'>;
};

/** `placed`, the code that told the shopper that nothing is left, or what else the shopper was told last. */
export type Ending = { readonly how: 'placed' | 'too late' | 'unclear'; readonly told: string };

/** Adds one bottle to a new cart, checks out and places the order; asks again, perhaps another process, while an answer is not final. */
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
      await at.pause(AGAIN_AFTER);
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
