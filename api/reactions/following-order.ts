import type { CommandMetadata, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';

import type { Shop } from '../shop.ts';

type Deps = Pick<Shop, 'store' | 'cached' | 'keys'>;

/**
 * The cached order, if this event is its last and the shopper's key still exists (not erased). An order claimed by a user has personal data
 * under two keys: it is read from the log.
 */
const rememberedAt = async ({ cached, keys }: Deps, { stream, metadata }: Recorded): Promise<ExistingOrder | undefined> => {
  const known = cached(order, stream);
  if (known?.head.hash !== metadata.hash || known.state.status === 'none') return undefined;
  const { shopper, cart } = known.state;
  return shopper === cart && (await keys.keysOf([shopper])).has(shopper) ? known.state : undefined;
};

/** The state of the order right after this event. From the cache only if that contains no personal data erased since, else from the log. */
export const orderAt = async (deps: Deps, event: Recorded): Promise<ExistingOrder> => {
  const remembered = await rememberedAt(deps, event);
  if (remembered) return remembered;
  const { events } = await deps.store.read<OrderEvent>(event.stream);
  const state = events.filter(({ revision }) => revision <= event.revision).reduce(order.evolve, order.initial);
  if (state.status === 'none') throw new Error(`No order was created in ${event.stream}`);
  return state;
};

/** Metadata of a command caused by an event. The same event and reaction give the same command id. */
export const causedBy = ({ metadata }: Recorded, reaction: string): CommandMetadata => ({
  commandId: `${reaction}-${metadata.eventId}`,
  correlationId: metadata.correlationId,
  causationId: metadata.eventId,
  actor: { kind: 'system', id: reaction },
});
