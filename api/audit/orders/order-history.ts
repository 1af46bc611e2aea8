import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, impossibleBecause } from '#domain/order/order.ts';
import type { Order } from '#domain/order/state.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';

/** An event that no decision of the shop can have brought about, or that cannot be read. */
export type Objection = { readonly revision: number; readonly why: string };

/** An order after each of these events, null where it is not there; and what is to be said against some of them. */
export type Played = {
  readonly states: readonly (OrderView | null)[];
  readonly objections: readonly Objection[];
  /** How it is after the last of them. */
  readonly state: Order;
};

type Step = { readonly after: Order; readonly why?: string | undefined };

const step = (before: Order, event: Recorded): Step => {
  try {
    // What stands in a stream of orders is an event of orders, unless somebody else wrote it: then reading it fails or it is impossibleBecause.
    const happened = { type: event.type, data: event.data } as OrderEvent;
    const why = impossibleBecause(before, happened);
    return { after: order.evolve(before, happened) ?? before, why };
  } catch (error) {
    return { after: before, why: error instanceof Error ? error.message : String(error) };
  }
};

const viewed = (id: OrderId, state: Order): OrderView | null => (state.status === 'none' ? null : viewOrder(id, state));

/**
 * Plays events of an order one by one, from its first, or on from `before`. Never throws: an event that cannot be applied leaves the order
 * as it was, and is objected to.
 */
export const played = (id: OrderId, events: readonly Recorded[], before: Order = order.initial): Played => {
  const states: (OrderView | null)[] = [];
  const objections: Objection[] = [];
  let state = before;
  for (const event of events) {
    const { after, why } = step(state, event);
    if (why !== undefined) objections.push({ revision: event.revision, why });
    state = after;
    states.push(viewed(id, state));
  }
  return { states, objections, state };
};
