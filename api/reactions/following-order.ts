import type { CommandMetadata, Recorded, Streams } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/state.ts';

/**
 * The order as it was right after this event, whatever came later. Out of the log, and not of what a process remembers: there, somebody
 * who was erased meanwhile would still have a name.
 */
export const orderAt = async (streams: Pick<Streams, 'read'>, event: Recorded): Promise<ExistingOrder> => {
  const { events } = await streams.read<OrderEvent>(event.stream);
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
