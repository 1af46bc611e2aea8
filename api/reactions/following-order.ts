import type { CommandMetadata, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';

import type { Shop } from '../shop.ts';

type Deps = Pick<Shop, 'store' | 'cached' | 'keys'>;

/**
 * Returns the cached order if this event is its last and the shopper's key still exists. An order that a user claimed has personal data
 * under two keys, so it is read from the log.
 */
const rememberedAt = async ({ cached, keys }: Deps, { stream, metadata }: Recorded): Promise<ExistingOrder | undefined> => {
  const known = cached(order, stream);
  if (known?.head.hash !== metadata.hash || known.state.status === 'none') return undefined;
  const { shopper, cart } = known.state;
  return shopper === cart && (await keys.keysOf([shopper])).has(shopper) ? known.state : undefined;
};

/**
 * Returns the state of the order right after this event, but with its present e-mail address: from the cache if it has no personal data that
 * were erased since, or else from the log.
 */
export const orderAt = async (deps: Deps, event: Recorded): Promise<ExistingOrder> => {
  const remembered = await rememberedAt(deps, event);
  if (remembered) return remembered;
  const { events } = await deps.store.read<OrderEvent>(event.stream);
  const until = events.filter(({ revision, type }) => revision <= event.revision || type === 'OrderEmailCorrected');
  const state = until.reduce(order.evolve, order.initial);
  if (state.status === 'none') throw new Error(`No order was created in ${event.stream}`);
  return state;
};

/** Returns the metadata of a command caused by an event. The same event and reaction give the same command id. */
export const causedBy = ({ metadata }: Recorded, reaction: string): CommandMetadata => ({
  commandId: `${reaction}-${metadata.eventId}`,
  correlationId: metadata.correlationId,
  causationId: metadata.eventId,
  actor: { kind: 'system', id: reaction },
});
