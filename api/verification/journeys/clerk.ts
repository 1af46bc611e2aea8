import { nextForStaff } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { StockView } from '#domain/stock/view.ts';

import type { Browsing } from './browsing.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { RecordedAnswers } from './recorded-answers.ts';

export const CLERK = { email: 'clerk@ruhani.example', password: 'the keys of the drill' };

/** The clerk waits this many ms between two orders, and after a refused sign-in. */
const PAUSE = 200;

type Parts = {
  readonly at: Browsing;
  readonly random: SeededRandom;
  readonly recorded: RecordedAnswers;
  readonly until: Pick<AbortSignal, 'aborted'>;
  /** The clerk changes no products, and in three of four cases moves the last order, so that many orders ship. */
  readonly onlyMoves?: boolean;
};

const signIn = async ({ at, until }: Parts): Promise<void> => {
  while (!until.aborted) {
    const told = await at.ask({ method: 'POST', path: '/api/user/login', body: CLERK });
    if (told !== 'unknown' && told.status === 200) return;
    await at.pause(PAUSE);
  }
};

/** Changes an order's status by one step, perhaps from an outdated page. Half the time it is the last order, so that some are returned. */
const moveOne = async ({ at, random, recorded, onlyMoves = false }: Parts): Promise<void> => {
  const [first, ...others] = [...recorded.placed.keys()];
  if (first === undefined) return;
  const last = recorded.moved.at(-1)?.id;
  const again = () => (onlyMoves ? random.upTo(4) > 0 : random.upTo(2) === 0);
  const id = last !== undefined && again() ? last : random.oneOf([first, ...others]);
  const seen = await at.ask({ method: 'GET', path: `/api/order/get-order/${id}` });
  if (seen === 'unknown' || seen.status !== 200) return;
  // In one of five cases it is the last option, a cancellation, which reduces the sales.
  const next = nextForStaff((seen.body as OrderView).status).at(random.upTo(5) === 0 ? -1 : 0);
  if (next === undefined) return;
  const request = { method: 'PUT', path: `/api/admin/order/${id}/status`, body: { status: next }, key: at.newId() };
  const told = await at.ask(request);
  if (told !== 'unknown' && told.status === 200) recorded.moved.push({ id, status: next });
};

/** Changes a product's price, availability or stock, so that checkouts must be refreshed. */
const reviseOne = async ({ at, random, recorded }: Parts): Promise<void> => {
  const told = await at.ask({ method: 'GET', path: '/api/product' });
  if (told === 'unknown' || told.status !== 200) return;
  const [first, ...others] = told.body as { readonly _id: string; readonly inStock: boolean; readonly stock?: StockView | null }[];
  if (!first) return;
  const { _id, inStock, stock } = random.oneOf([first, ...others]);
  const isPrice = inStock && random.upTo(3) > 0;
  const body = isPrice ? { price: String(1_000 + random.upTo(4_000)) } : { inStock: !inStock };
  const change = stock
    ? { path: `/api/admin/stock/${_id}`, body: { received: 1 + random.upTo(2) } }
    : { path: `/api/product/${_id}`, body };
  const answered = await at.ask({ method: 'PUT', ...change, key: at.newId() });
  if (answered !== 'unknown' && answered.status === 200) recorded.counts.repriced += 1;
};

const lookAtDesk = async ({ at, random, recorded }: Parts): Promise<void> => {
  const told = await at.ask({ method: 'GET', path: random.oneOf(['/api/admin/orders?limit=20', '/api/admin/stats']) });
  if (told !== 'unknown' && told.status === 200) recorded.counts.lookedAtDesk += 1;
};

export const clerkUntil = async (parts: Parts): Promise<void> => {
  await signIn(parts);
  const { random, until, onlyMoves = false } = parts;
  const duties = onlyMoves ? ([moveOne] as const) : ([moveOne, moveOne, moveOne, moveOne, reviseOne, lookAtDesk] as const);
  while (!until.aborted) {
    await random.oneOf(duties)(parts);
    await parts.at.pause(PAUSE);
  }
};
