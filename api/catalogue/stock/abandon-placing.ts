import type { CommandMetadata } from '#domain/event-store.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { isPlaced, type Order } from '#domain/order/rules.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { findReservation, stock, stockStream } from '#domain/stock/stock.ts';

import type { Shop } from '../../shop.ts';

type Deps = Pick<Shop, 'execute' | 'load' | 'now'>;

const keepsBottles = (state: Order): boolean => isPlaced(state) && state.status !== 'cancelled';

const findHeld = async ({ load }: Deps, id: OrderId, products: readonly ProductId[]): Promise<readonly ProductId[]> => {
  const held = await Promise.all(products.map(async (product) => findReservation((await load(stock, stockStream(product))).state, id)));
  return products.filter((_, index) => held[index] !== undefined);
};

/**
 * Releases what an order has reserved of these products, unless it is placed. It is idempotent and may run at any time, even during a
 * placing: an event on the order's stream makes each earlier decision to place it fail, and reservations of later ones stay. Returns
 * whether the order is placed.
 */
export const abandonPlacing = async (
  deps: Deps,
  { id, products }: { readonly id: OrderId; readonly products: readonly ProductId[] },
  metadata: CommandMetadata,
): Promise<boolean> => {
  const { execute, load, now } = deps;
  const stream = orderStream(id);
  const { state: seen, head } = await load(order, stream);
  if (keepsBottles(seen)) return true;
  const held = await findHeld(deps, id, products);
  if (held.length === 0) return false;
  const { state } =
    seen.status === 'created' ? await execute(order, stream, { type: 'AbandonPlacing', now: now() }, metadata) : { state: seen };
  if (keepsBottles(state)) return true;
  const release = { type: 'ReleaseStock', order: id, before: head.revision + 1, now: now() } as const;
  for (const product of held) await execute(stock, stockStream(product), release, metadata);
  return false;
};
