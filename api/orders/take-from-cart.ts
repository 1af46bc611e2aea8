import { cart, type TakeOrderedItems, cartStream } from '#domain/cart/cart.ts';
import type { CommandMetadata, LogPosition } from '#domain/event-store.ts';
import type { OrderedMeanwhile } from '#domain/order/checkout.ts';
import { order as orderDecider, orderStream } from '#domain/order/order.ts';
import { isPlaced, ownedBy, type ExistingOrder } from '#domain/order/rules.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';
import { dateInIndia, type Instant } from '#domain/shared/time.ts';

import { Rejected } from '../command-handler/execute.ts';
import type { Shop } from '../shop.ts';

export type KnownOrder = { readonly id: OrderId; readonly order: ExistingOrder };

type Deps = Pick<Shop, 'execute' | 'load' | 'now'>;

const takingOut = ({ id, order }: KnownOrder, now: TakeOrderedItems['now']): TakeOrderedItems | undefined =>
  order.placement === null
    ? undefined
    : { type: 'TakeOrderedItems', order: id, lines: order.lines, placedAt: order.placement.placedAt, now };

/** A merge has an id of its own: in the cart into which it merges, other commands of the same request are not done with it. */
export const mergeCommandId = (from: ShopperId, closedAt: Instant): string => `merge-${from}-${closedAt}`;

/** Two commands to one stream need two ids, because a repeated command is recognised by its id in the stream. */
export const withOwnId = <Metadata extends CommandMetadata>(metadata: Metadata, commandId: string): Metadata => ({
  ...metadata,
  commandId,
});

/**
 * Completes a sign-in that may have been interrupted: a merge after removing the order's lines would add them again. Merging is idempotent.
 */
const finishMerge = async ({ execute, load, now }: Deps, from: ShopperId, metadata: CommandMetadata): Promise<void> => {
  const { state } = await load(cart, cartStream(from));
  if (state.closed === null) return;
  const { into, at: closedAt } = state.closed;
  const merging = { type: 'MergeCarts', from, into, lines: state.lines, closedAt, now: now() } as const;
  await execute(cart, cartStream(into), merging, withOwnId(metadata, mergeCommandId(from, closedAt)));
};

/**
 * Removes the ordered lines from their cart, or from the cart into which it was merged at sign-in. Idempotent: the cart remembers the
 * order. Returns the log position; undefined when it was done before, or when the order was not placed. Throws what `execute` throws.
 */
export const takeFromCart = async (deps: Deps, known: KnownOrder, metadata: CommandMetadata): Promise<LogPosition | undefined> => {
  const command = takingOut(known, deps.now());
  if (command === undefined) return undefined;
  const owner = known.order.cart;
  const takeFrom = async (shopper: ShopperId) =>
    (await deps.execute(cart, cartStream(shopper), command, withOwnId(metadata, `take-${known.id}`))).position;
  try {
    // A closed cart refuses only orders whose lines were not removed before it closed.
    return await takeFrom(owner);
  } catch (error) {
    if (!(error instanceof Rejected) || error.rejection.code !== 'cart_closed') throw error;
    await finishMerge(deps, owner, metadata);
    return takeFrom(error.rejection.into);
  }
};

/**
 * Returns the newest order that has taken bottles of this draft from its cart since the checkout, today in India; undefined if there is
 * none, if it was cancelled, or if the cart holds enough of them again.
 */
export const findOrderedMeanwhile = async (
  { load }: Pick<Deps, 'load'>,
  draft: ExistingOrder,
  now: Instant,
): Promise<OrderedMeanwhile | undefined> => {
  const { state: first } = await load(cart, cartStream(draft.cart));
  const merged = first.closed === null ? undefined : (await load(cart, cartStream(first.closed.into))).state;
  const { lines } = merged ?? first;
  const held = new Map(lines.map(({ productId, quantity }) => [productId, quantity]));
  const gone = new Set(draft.lines.filter((line) => (held.get(line.productId) ?? 0) < line.quantity).map(({ productId }) => productId));
  const since = [...first.taken, ...(merged?.taken ?? [])].filter(({ at }) => at > draft.quotedAt && dateInIndia(at) === dateInIndia(now));
  for (const { id } of since.toReversed()) {
    const other = ownedBy(draft.shopper, (await load(orderDecider, orderStream(id))).state);
    if (other === undefined || !isPlaced(other) || other.status === 'cancelled') continue;
    if (other.lines.some(({ productId }) => gone.has(productId))) return { order: id, number: other.placement.number };
  }
  return undefined;
};
