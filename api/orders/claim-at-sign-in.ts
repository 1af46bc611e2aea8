import { cart, cartStream } from '#domain/cart/cart.ts';
import { StreamIncomplete, type CommandMetadata } from '#domain/event-store.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';

import { Rejected } from '../command-handler/execute.ts';
import { commandMetadata, type OnRecognised } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { ShopLogger } from '../platform/logger.ts';
import type { OrderIds } from './order-ids.ts';
import type { Visitors } from './visitor-users.ts';

/** Streams are read concurrently, this many at a time. */
const AT_ONCE = 50;

/** Gives one order of the visitor to the user. Leaves orders of any other shopper, including the user, alone. */
export const claimOrder = async (
  { execute, now }: Pick<Shop, 'execute' | 'now'>,
  id: OrderId,
  { from, by }: { readonly from: ShopperId; readonly by: ShopperId },
  metadata: CommandMetadata,
): Promise<void> => {
  try {
    await execute(order, orderStream(id), { type: 'ClaimOrder', from, by, now: now() }, metadata);
  } catch (error) {
    if (!(error instanceof Rejected && error.rejection.code === 'order_not_found')) throw error;
  }
};

export type ClaimAtSignInDeps = Pick<Shop, 'execute' | 'load' | 'now' | 'store'> & {
  readonly idOf: OrderIds;
  readonly visitors: Visitors;
  readonly log: Pick<ShopLogger, 'warn'>;
};

/** Runs `work` and ignores a stream that was cut, so that its owner can still sign in. Returns false if the stream was cut. */
export const ignoreCutStream = async (log: ClaimAtSignInDeps['log'], work: () => Promise<void>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof StreamIncomplete)) throw error;
    log.warn({ stream: error.stream, error: error.message }, 'A cut stream was left out at a sign-in');
    return false;
  }
};

/**
 * Gives all orders and checkouts of the visitor to the user. Order ids derive from the cart and its revision, so the log alone shows which
 * exist, even if read models are behind. Idempotent. Returns false if a cut order was left out.
 */
const claimOrders = async (deps: ClaimAtSignInDeps, visitor: ShopperId, user: ShopperId, metadata: CommandMetadata): Promise<boolean> => {
  const { load, store, idOf, log } = deps;
  let isWhole = true;
  const { head } = await load(cart, cartStream(visitor));
  const claim = async (id: OrderId): Promise<void> => {
    const { events } = await store.read(orderStream(id));
    if (events.length > 0) await claimOrder(deps, id, { from: visitor, by: user }, metadata);
  };
  for (let first = 0; first <= head.revision; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, head.revision + 1 - first);
    const claimed = Array.from({ length }, (_, index) => ignoreCutStream(log, () => claim(idOf(visitor, first + index))));
    isWhole = (await Promise.all(claimed)).every(Boolean) && isWhole;
  }
  return isWhole;
};

/**
 * Gives the visitor's orders to the user. It first records who the visitor is, so that an order appended after its stream was read is
 * claimed later (see `claim-orders`); then it claims the existing orders. After an interruption, the user's next sign-in claims the others.
 */
export const claimAtSignIn =
  (deps: ClaimAtSignInDeps): OnRecognised =>
  async (visitorId, userId, ctx) => {
    const { visitors, log } = deps;
    const user = await visitors.becomes(visitorId, userId);
    const metadata = await commandMetadata(ctx, { kind: 'user', id: userId });
    for (const visitor of await visitors.unclaimedOf(user)) {
      await ignoreCutStream(log, async () => {
        if (await claimOrders(deps, visitor, user, metadata)) await visitors.claimed(visitor);
      });
    }
  };
