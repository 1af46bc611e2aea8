import type { CommandMetadata, LogPosition, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import type { MyOrders } from '#projections/my-orders/queries.ts';
import type { Progress } from '#projections/progress.ts';

import { Rejected } from '../execute.ts';
import { commandMetadata } from '../http/command-metadata.ts';
import type { OnRecognised } from '../http/session.ts';
import type { Shop } from '../open-shop.ts';
import { orderIn, orderOf } from './stream.ts';
import type { Visitors } from './visitors.ts';

export type ClaimDeps = Pick<Shop, 'execute' | 'now' | 'store'> & { readonly myOrders: Pick<MyOrders, 'idsOf'> };

/** So many orders are claimed at the same time. */
const AT_ONCE = 20;

/** So many events that the read model does not have yet are looked through, in so many pages: what a busy shop does in some seconds. */
const TAIL = { page: 500, pages: 10 } as const;

/** Makes one order of the visitor's the user's. Nothing happens to one that is theirs already, or somebody else's by now. */
export const claimOrder = async (
  { execute, now }: Pick<Shop, 'execute' | 'now'>,
  id: OrderId,
  { from, by }: { readonly from: ShopperId; readonly by: ShopperId },
  metadata: CommandMetadata,
): Promise<void> => {
  try {
    await execute(order, orderOf(id), { type: 'ClaimOrder', from, by, now: now() }, metadata);
  } catch (error) {
    if (!(error instanceof Rejected && error.rejection.code === 'order_not_found')) throw error;
  }
};

/** Makes all the orders of the visitor's that are known by now the user's, those not yet placed too. Doing it again changes nothing. */
export const claimOrders = async (deps: ClaimDeps, visitor: ShopperId, user: ShopperId, metadata: CommandMetadata): Promise<void> => {
  for (let after: OrderId | undefined; ;) {
    const ids = await deps.myOrders.idsOf(visitor, AT_ONCE, after);
    await Promise.all(ids.map((id) => claimOrder(deps, id, { from: visitor, by: user }, metadata)));
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1);
  }
};

type Made = { readonly id: OrderId; readonly by: ShopperId };

/** The orders that were made since this position, by whomever; and whether these are all, or the log goes on for too long. */
const madeSince = async ({ store }: Pick<Shop, 'store'>, after: LogPosition): Promise<{ made: readonly Made[]; areAll: boolean }> => {
  const made: Made[] = [];
  let from = after;
  for (let pages = 0; pages < TAIL.pages; pages++) {
    // Only orders are asked for, and this is all that happens to them.
    const page = (await store.page(from, TAIL.page, ['order'])) as readonly Recorded<OrderEvent>[];
    for (const { type, stream, data } of page) if (type === 'OrderCreated') made.push({ id: orderIn(stream), by: data.shopper });
    if (page.length < TAIL.page) return { made, areAll: true };
    from = page.at(-1)?.position ?? from;
  }
  return { made, areAll: false };
};

export type ClaimAtSignInDeps = ClaimDeps & {
  readonly visitors: Visitors;
  readonly progress: Pick<Progress, 'position' | 'isBuilt' | 'hasParked'>;
};

/**
 * What the visitor has ordered becomes the user's. First it is noted who they are, so that an order which turns up later can follow (see
 * `claim-orders`); then come the orders that the read model knows, and out of the log those that it does not know yet, so that none is
 * waited for. Where that is too much of the log, they stay unclaimed until the user's next sign-in.
 */
export const claimAtSignIn =
  ({ visitors, progress, ...deps }: ClaimAtSignInDeps): OnRecognised =>
  async (visitorId, userId, ctx) => {
    const user = await visitors.becomes(visitorId, userId);
    if (!progress.isBuilt(myOrders.name)) return;
    const { made, areAll } = await madeSince(deps, progress.position(myOrders.name));
    const areKnown = areAll && !progress.hasParked(myOrders.name);
    const metadata = await commandMetadata(ctx, { kind: 'user', id: userId });
    const unclaimed = await visitors.unclaimedOf(user);
    for (const visitor of unclaimed) {
      const late = made.filter(({ by }) => by === visitor).map(({ id }) => claimOrder(deps, id, { from: visitor, by: user }, metadata));
      await Promise.all([claimOrders(deps, visitor, user, metadata), ...late]);
      if (areKnown) await visitors.claimed(visitor);
    }
  };
