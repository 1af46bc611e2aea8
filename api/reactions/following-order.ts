import type { CommandMetadata, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/state.ts';

import type { Shop } from '../open-shop.ts';

type Deps = Pick<Shop, 'store' | 'recall' | 'keys'>;

/**
 * What this process remembers of the order, if it ends with this event and nobody was erased since: then whoever has the order has their
 * key still. Of one that went over to somebody else there is more than one key to be asked for, and the log is.
 */
const rememberedAt = async ({ recall, keys }: Deps, { stream, metadata }: Recorded): Promise<ExistingOrder | undefined> => {
  const known = recall(order, stream);
  if (known?.head.hash !== metadata.hash || known.state.status === 'none') return undefined;
  const { shopper, cart } = known.state;
  return shopper === cart && (await keys.keysOf([shopper])).has(shopper) ? known.state : undefined;
};

/**
 * The order as it was right after this event, whatever came later. Out of the log wherever what a process remembers might be more than is
 * still known: there, somebody who was erased meanwhile would have a name.
 */
export const orderAt = async (deps: Deps, event: Recorded): Promise<ExistingOrder> => {
  const remembered = await rememberedAt(deps, event);
  if (remembered) return remembered;
  const { events } = await deps.store.read<OrderEvent>(event.stream);
  const state = events.filter(({ revision }) => revision <= event.revision).reduce(order.evolve, order.initial);
  if (state.status === 'none') throw new Error(`No order was created in ${event.stream}`);
  return state;
};

/** What the log says of a command that an event has brought about. The same event and reaction: the same command. */
export const causedBy = ({ metadata }: Recorded, reaction: string): CommandMetadata => ({
  commandId: `${reaction}-${metadata.eventId}`,
  correlationId: metadata.correlationId,
  causationId: metadata.eventId,
  actor: { kind: 'system', id: reaction },
});
