import type { OrderView } from '#domain/order/view.ts';

import type { Browsing, Request, ClientOutcome } from '../journeys/browsing.ts';
import type { SeededRandom } from '../journeys/seeded-random.ts';
import type { RecordedAnswers } from '../journeys/recorded-answers.ts';

/** A guest waits `AGAIN_AFTER` ms between two attempts, and the next guest starts after `NEXT_AFTER` ms. */
const RETRY_DELAY_MS = 250;
const NEXT_AFTER = 1_000;
/** This many attempts take longer than any fault. */
const MOST_ATTEMPTS = 500;

type Parts = {
  readonly enter: () => Browsing;
  /** The gateway's pages. */
  readonly bank: Pick<Browsing, 'ask'>;
  readonly random: SeededRandom;
  readonly recorded: RecordedAnswers;
  readonly until: Pick<AbortSignal, 'aborted'>;
};

type Heard = Exclude<ClientOutcome, 'unknown'>;

/** Repeats a request with the same key until the answer is final. */
const insist = async (at: Browsing, request: Request): Promise<Heard | undefined> => {
  const key = at.newId();
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const told = await at.ask({ ...request, key });
    if (told !== 'unknown' && told.code !== 'request_under_way' && told.code !== 'conflict') return told;
    await at.pause(RETRY_DELAY_MS);
  }
  return undefined;
};

/** Returns personal data with texts that do not occur by chance. */
const someone = (mark: string) => ({
  name: `Guest ${mark}`,
  address1: `${mark} Lane`,
  address2: '',
  city: 'Kochi',
  state: 'Kerala',
  postalCode: '682031',
  country: 'India',
  phone: '+91 98470 00001',
  email: `${mark}@example.com`,
});

/** Pays, with the webhook before the erasure, after it or never. */
const pay = async (at: Browsing, id: string, { bank, random, recorded }: Parts): Promise<void> => {
  const asked = await insist(at, { method: 'POST', path: `/api/order/pay/${id}`, body: {} });
  if (asked?.status !== 200) return;
  const { pathname } = new URL((asked.body as { readonly url: string }).url);
  const paid = await bank.ask({ method: 'POST', path: `${pathname}/pay`, body: { webhook: random.oneOf(['now', 'late', 'never']) } });
  if (paid !== 'unknown' && paid.status === 200) recorded.counts.paid += 1;
};

const comeAndLeave = async (parts: Parts): Promise<void> => {
  const { enter, random, recorded } = parts;
  const at = enter();
  const seen = await insist(at, { method: 'GET', path: '/api/product?limit=5' });
  if (seen?.status !== 200) return;
  const [first, ...others] = (seen.body as { readonly _id: string; readonly inStock: boolean }[]).filter(({ inStock }) => inStock);
  if (!first) return;
  const added = await insist(at, {
    method: 'POST',
    path: '/api/cart/add-to-cart',
    body: { _id: random.oneOf([first, ...others])._id },
  });
  if (added?.status !== 200) return;
  const shipping = someone(at.newId());
  const form = { shipping, giftWrap: true, giftMessage: `From ${shipping.name}` };
  const created = await insist(at, { method: 'POST', path: '/api/order/create-order', body: form });
  if (created === undefined || created.status >= 400) return;
  const { _id: id } = (created.body as { readonly order: OrderView }).order;
  recorded.asked.add(id);
  const method = random.oneOf(['COD', 'Prepaid'] as const);
  const placed = await insist(at, { method: 'PUT', path: `/api/order/place-order/${id}`, body: { method } });
  // No shopper has the number -1, so every shopper may try to see this order.
  if (placed?.status === 200) recorded.placed.set(id, { order: placed.body as OrderView, shopper: -1 });
  if (method === 'Prepaid') await pay(at, id, parts);
  else await insist(at, { method: 'PUT', path: `/api/order/cancel/${id}`, body: { reason: `${shipping.name} is away` } });
  recorded.leaving.add(id);
  const erased = await insist(at, { method: 'POST', path: `/api/order/erase/${id}`, body: {} });
  // If the answer was lost, the repeated request finds the guest signed out before they were told of the erasure.
  if (erased?.status === 200 || erased?.status === 202)
    recorded.erased.push({ order: id, texts: [shipping.name, shipping.address1, shipping.email] });
};

/** Runs one guest after the other. The last one may end some time after `until`. */
export const eraseGuestsUntil = async (parts: Parts): Promise<void> => {
  while (!parts.until.aborted) {
    await comeAndLeave(parts);
    await parts.enter().pause(NEXT_AFTER);
  }
};
