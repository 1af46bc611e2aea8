import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { computeBill } from '#domain/order/totals.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { isOrderId } from '#domain/shared/ids.ts';
import { streamId } from '#projections/engine/define-projector.ts';

import type { Shop } from '../shop.ts';
import { loadPayment } from '../orders/order-payment.ts';
import { causedBy } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

/** After a cancellation or a received return, and after a payment that crossed one: of the two reactions the later sees both. */
export const whenOverpaidRefundExcess = (shop: Pick<Shop, 'execute' | 'load' | 'now'>): Reaction => {
  const name = 'settle-payments';
  const settle = async (event: Recorded<OrderEvent | PaymentEvent>): Promise<readonly never[]> => {
    const id = streamId(event.stream);
    if (!isOrderId(id)) return [];
    const { state } = await shop.load(order, orderStream(id));
    if (state.status === 'none') return [];
    const { captures, cash } = await loadPayment(shop, id, state);
    if (captures.length === 0 && cash === null) return [];
    const command = { type: 'RefundExcess', bill: computeBill(state), now: shop.now() } as const;
    await shop.execute(payment, paymentStream(id), command, causedBy(event, name));
    return [];
  };
  return reactionTo<OrderEvent | PaymentEvent>({
    name,
    categories: ['order', 'payment'],
    on: { OrderCancelled: settle, ReturnReceived: settle, PaymentCaptured: settle, CashCollected: settle },
  });
};
