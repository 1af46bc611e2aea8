import type { Streams } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { explain, type Explanation } from '#domain/order/explain.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderStream } from '#domain/order/order.ts';
import { paymentStream } from '#domain/payment/payment.ts';

/** Explains an order from the log, so that it includes the shopper's last command. Returns undefined for an order that does not exist. */
export const explainOrder = async (store: Pick<Streams, 'read'>, id: OrderId): Promise<Explanation | undefined> => {
  const [order, payment] = await Promise.all([store.read<OrderEvent>(orderStream(id)), store.read<PaymentEvent>(paymentStream(id))]);
  const amounts = explain(order.events, payment.events);
  return amounts && { amounts };
};
