import type { CommandMetadata, LogPosition, StreamName } from '#domain/event-store.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { billOf } from '#domain/order/totals.ts';
import { payment } from '#domain/payment/payment.ts';
import { NO_PAYMENT, type Payment } from '#domain/payment/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';

import type { Shop } from '../composition/types/shop.ts';

export const paymentStream = (id: OrderId): StreamName => `payment-${id}`;

/** Metadata of what the shop does by itself about payments. The same id is the same command. */
export const bySystem = (commandId: string): CommandMetadata => ({
  commandId,
  correlationId: commandId,
  causationId: commandId,
  actor: { kind: 'system', id: 'payments' },
});

/** Only for prepaid orders, and for those that a courier has brought, can there be money. */
const mayHaveMoney = ({ placement, deliveredAt }: ExistingOrder): boolean =>
  placement !== null && (placement.method === 'Prepaid' || deliveredAt !== null);

/** The payment of the order as the log has it. */
export const paymentOf = async ({ load }: Pick<Shop, 'load'>, id: OrderId, order: ExistingOrder): Promise<Payment> =>
  mayHaveMoney(order) ? (await load(payment, paymentStream(id))).state : NO_PAYMENT;

/**
 * Refunds what the order does not cost (any more), if anything came. Idempotent: the reaction `settle-payments` does it again after a crash.
 * Returns the position of the refund's event, if there is a new one.
 */
export const refundExcess = async (
  { execute, load, now }: Pick<Shop, 'execute' | 'load' | 'now'>,
  id: OrderId,
  order: ExistingOrder,
  metadata: CommandMetadata,
): Promise<LogPosition | undefined> => {
  if ((await paymentOf({ load }, id, order)).captures.length === 0) return undefined;
  return (await execute(payment, paymentStream(id), { type: 'RefundExcess', bill: billOf(order), now: now() }, metadata)).position;
};
