import { START, type LogPosition, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order as orders } from '#domain/order/order.ts';
import type { Order } from '#domain/order/state.ts';
import { totalsOf } from '#domain/order/totals.ts';
import { rupees } from '#domain/shared/money.ts';
import { readModels } from '#projections/read-models.ts';
import { verify } from '#projections/verify.ts';

import { liveLog } from '../audit/log-source.ts';
import { Books } from '../audit/books.ts';
import type { Shop } from '../open-shop.ts';
import type { Witnessed } from './shopper.ts';

/** What must be true after everything that went wrong: nothing is in `broken`. */
export type Verdict = { readonly invariant: string; readonly broken: readonly string[] };

type InLog = { readonly orders: ReadonlyMap<string, Order>; readonly placings: ReadonlyMap<string, number>; readonly events: number };

const PAGE = 1_000;

/** Every order as the log has it, and how often each was placed. Positions that are missing make the store throw. */
const readOrders = async ({ store }: Pick<Shop, 'store'>): Promise<InLog> => {
  const folded = new Map<string, Order>();
  const placings = new Map<string, number>();
  let events = 0;
  for (let after: LogPosition | undefined = START; after !== undefined;) {
    const page: readonly Recorded[] = await store.page(after, PAGE, ['product', 'cart', 'order']);
    for (const event of page) {
      events += 1;
      if (!event.stream.startsWith('order-')) continue;
      const id = event.stream.slice('order-'.length);
      // Only events of orders stand in their streams.
      folded.set(id, orders.evolve(folded.get(id) ?? orders.initial, event as Recorded<OrderEvent>));
      if (event.type === 'OrderPlaced') placings.set(id, (placings.get(id) ?? 0) + 1);
    }
    after = page.at(-1)?.position;
  }
  return { orders: folded, placings, events };
};

const answeredIsInLog = ({ placed }: Witnessed, { orders }: InLog): Verdict => {
  const broken: string[] = [];
  for (const [id, { order }] of placed) {
    const found = orders.get(id);
    if (!found || found.status === 'none' || found.placement === null) broken.push(`${id} was answered as placed and is not in the log`);
    else if (found.placement.number !== order.orderNumber) broken.push(`${id} was answered with another number`);
    else if (rupees(totalsOf(found).total) !== order.total) broken.push(`${id} was answered with another total`);
  }
  return { invariant: 'every success that was answered is in the log, with its number and its total', broken };
};

const movesAreInLog = ({ moved }: Witnessed, { orders }: InLog): Verdict => {
  const broken = moved.flatMap(({ id, status }) => {
    const found = orders.get(id);
    const isThere = found !== undefined && found.status !== 'none' && found.history.some((entry) => entry.status === status);
    return isThere ? [] : [`${id} was answered as ${status}, of which the log knows nothing`];
  });
  return { invariant: 'every step that the staff were told of is in the log', broken };
};

/** What a shopper did not hear of may have been placed, and no more than that. */
const noneTooMany = ({ placed, unsure }: Witnessed, { placings }: InLog): Verdict => {
  const broken = [...placings].filter(([, times]) => times > 1).map(([id, times]) => `${id} was placed ${times} times`);
  const mayBe = [...unsure.values()].reduce((sum, count) => sum + count, 0);
  const unheard = [...placings.keys()].filter((id) => !placed.has(id)).length;
  if (unheard > mayBe) broken.push(`${unheard} orders are placed that nobody heard of, though only ${mayBe} checkouts were left open`);
  return { invariant: 'one order for one version of a cart, placed once', broken };
};

const numbersAreUnique = ({ orders }: InLog): Verdict => {
  const seen = new Map<string, string>();
  const broken: string[] = [];
  for (const [id, order] of orders) {
    if (order.status === 'none' || order.placement === null) continue;
    const { number } = order.placement;
    if (seen.has(number)) broken.push(`${id} and ${seen.get(number)} have one number`);
    seen.set(number, id);
  }
  return { invariant: 'no two orders have one number', broken };
};

const oneConfirmationEach = async ({ pool }: Pick<Shop, 'pool'>, { placings }: InLog): Promise<Verdict> => {
  const { rows } = await pool.query<{ cause: string }>(`select cause from shop.outbox where cause like 'order-placed:%'`);
  const confirmed = rows.map(({ cause }) => cause.slice('order-placed:'.length));
  const broken = [...placings.keys()].filter((id) => !confirmed.includes(id)).map((id) => `${id} is placed and has no confirmation`);
  for (const id of confirmed) if (!placings.has(id)) broken.push(`${id} has a confirmation and is not placed`);
  if (new Set(confirmed).size !== confirmed.length) broken.push('An order has two confirmations');
  return { invariant: 'one confirmation for each placed order', broken };
};

const chainsAreIntact = async ({ store }: Pick<Shop, 'store'>): Promise<Verdict> => {
  const source = liveLog(store);
  const books = new Books();
  for await (const page of source.pages()) books.take(page, await source.open(page));
  const { findings } = books.conclude();
  return {
    invariant: 'every chain is intact and every history lawful',
    broken: findings.map(({ stream, revision, what }) => `${stream} at revision ${revision}: ${what}`),
  };
};

const modelsMatch = async ({ store, read }: Pick<Shop, 'store' | 'read'>): Promise<Verdict> => {
  const broken: string[] = [];
  for (const model of readModels) {
    const { count, differences } = await verify(model, store, read, { until: new AbortController().signal });
    const [first] = differences;
    if (count > 0) broken.push(`${model.name} differs from its rebuild in ${count} rows, such as ${first?.table} ${first?.key}`);
  }
  return { invariant: 'no event was applied twice or skipped: read models equal a fresh rebuild', broken };
};

/** Holds what the shop has against what its shoppers were told. Its read models and reactions must have caught up. */
export const judge = async (
  shop: Shop,
  witnessed: Witnessed,
): Promise<{ events: number; placed: number; verdicts: readonly Verdict[] }> => {
  const log = await readOrders(shop);
  const verdicts = [
    answeredIsInLog(witnessed, log),
    movesAreInLog(witnessed, log),
    noneTooMany(witnessed, log),
    numbersAreUnique(log),
    await oneConfirmationEach(shop, log),
    await chainsAreIntact(shop),
    await modelsMatch(shop),
    { invariant: 'nobody saw the order of another, nor was given it', broken: witnessed.broken },
  ];
  return { events: log.events, placed: log.placings.size, verdicts };
};
