import type { LogPosition, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, impossibleBecause } from '#domain/order/order.ts';
import type { Order } from '#domain/order/rules.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { payment } from '#domain/payment/payment.ts';
import { NO_PAYMENT, type Payment } from '#domain/payment/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';

/** An event is not accepted for this reason: it cannot be read, or no command can have caused it. */
export type Violation = { readonly revision: number; readonly why: string };

/** `states` has the state after each event; null means that the order does not exist. */
export type Replayed = {
  readonly states: readonly (OrderView | null)[];
  readonly objections: readonly Violation[];
  readonly state: Order;
};

type Step = { readonly after: Order; readonly why?: string | undefined };

const step = (before: Order, event: Recorded): Step => {
  try {
    // If an intruder wrote the event, it may have another type: then decoding fails, or `impossibleBecause` reports it.
    const happened = { type: event.type, data: event.data } as OrderEvent;
    const why = impossibleBecause(before, happened);
    return { after: order.evolve(before, happened) ?? before, why };
  } catch (error) {
    return { after: before, why: error instanceof Error ? error.message : String(error) };
  }
};

export type PaymentAt = (position: LogPosition) => Payment;

/** Folds the payment from the events of its stream. */
export const paymentAt =
  (events: readonly Recorded[]): PaymentAt =>
  (position) =>
    // The cast is safe: the stream of a payment has no other events, unless an intruder wrote one, which `evolve` ignores.
    events.filter((event) => event.position <= position).reduce((state, event) => payment.evolve(state, event as PaymentEvent), NO_PAYMENT);

const noMoney: PaymentAt = () => NO_PAYMENT;

/**
 * Folds an order's events from the first, or from the state `before`. Never throws: an event that cannot be applied leaves the state
 * unchanged and is reported as a violation.
 */
export const replayOrder = (
  id: OrderId,
  events: readonly Recorded[],
  before: Order = order.initial,
  money: PaymentAt = noMoney,
): Replayed => {
  const states: (OrderView | null)[] = [];
  const objections: Violation[] = [];
  let state = before;
  for (const event of events) {
    const { after, why } = step(state, event);
    if (why !== undefined) objections.push({ revision: event.revision, why });
    state = after;
    states.push(state.status === 'none' ? null : viewOrder(id, state, money(event.position)));
  }
  return { states, objections, state };
};
