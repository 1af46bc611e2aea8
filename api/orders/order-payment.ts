import type { CommandMetadata } from '#domain/event-store.ts';
import type { CancelUnpaid } from '#domain/order/fulfilment.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder, Order } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import { nothingToPay, payment, paymentStream } from '#domain/payment/payment.ts';
import { NO_PAYMENT, type Payment } from '#domain/payment/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';

import type { Executed } from '../command-handler/execute.ts';
import type { Shop } from '../shop.ts';

/** Returns the metadata of commands that the shop itself sends about payments. A repeated id means the same command. */
export const bySystem = (commandId: string): CommandMetadata => ({
  commandId,
  correlationId: commandId,
  causationId: commandId,
  actor: { kind: 'system', id: 'payments' },
});

/** Only prepaid orders and delivered orders can have received money. */
const mayHaveMoney = ({ placement, deliveredAt }: ExistingOrder): boolean =>
  placement !== null && (placement.method === 'Prepaid' || deliveredAt !== null);

export const loadPayment = async ({ load }: Pick<Shop, 'load'>, id: OrderId, of: ExistingOrder): Promise<Payment> =>
  mayHaveMoney(of) ? (await load(payment, paymentStream(id))).state : NO_PAYMENT;

/** Returns the payment that an order's page shows: with the refunds that the reaction `settle-payments` is about to request. */
export const shownPayment = async (deps: Pick<Shop, 'load' | 'now'>, id: OrderId, of: ExistingOrder): Promise<Payment> => {
  const money = await loadPayment(deps, id, of);
  if (of.status !== 'cancelled' && of.returns.length === 0) return money;
  const decision = payment.decide(money, { type: 'RefundExcess', bill: computeBill(of), now: deps.now() });
  return decision.ok ? decision.events.reduce(payment.evolve, money) : money;
};

/** Cancels an order after reading its payment for each decision. Money that arrives later is refunded by the reaction `settle-payments`. */
export const cancelUnpaid = (
  { execute, load, now }: Pick<Shop, 'execute' | 'load' | 'now'>,
  id: OrderId,
  metadata: CommandMetadata,
): Promise<Executed<Order>> => {
  const command = async (state: Order): Promise<CancelUnpaid> => {
    const isDue = state.status !== 'none' && !nothingToPay(computeBill(state), await loadPayment({ load }, id, state));
    return { type: 'CancelUnpaid', isDue, now: now() };
  };
  return execute(order, orderStream(id), command, metadata);
};
