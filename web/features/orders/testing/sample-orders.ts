import type { CartItemView } from '#domain/cart/view.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { orderId, productId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { created, historyOf, home, orderAfter, placed, soldLines } from '#domain/testing/orders.ts';
import { paymentAfter } from '#domain/testing/payments.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import { perfume } from '../../../testing/perfumes.ts';

export const ID = orderId('0b8c2a54-7d7e-8a08-9f0e-1c2f7a6d3b11');

/** Returns Meera's order after these events, in the API's format. */
export const answered = (...events: readonly OrderEvent[]): OrderView => viewOrder(ID, orderAfter(...events));
export const orderThatIs = (status: OrderStatus): OrderView => answered(...historyOf[status]);

/** Returns Meera's prepaid order of ₹11,033.00 after these payment events, and these order events since it was placed. */
export const prepaidOrder = (paid: readonly PaymentEvent[] = [], ...since: readonly OrderEvent[]): OrderView =>
  viewOrder(ID, orderAfter(created(), placed('Prepaid'), ...since), paymentAfter(...paid));

export const createdWith = (count: number): OrderEvent =>
  created({
    lines: Array.from({ length: count }, (_, index) => ({
      ...soldLines[0],
      productId: productId(`perfume-${index + 1}`),
      name: `Perfume ${index + 1}`,
    })),
  });

export const dearer = created({ lines: [{ ...soldLines[0], unitPrice: paise(3_650_00) }, soldLines[1]] });

export const createCart = ({ items }: OrderView): readonly CartItemView[] =>
  items.map(({ product, quantity, hsn, rate }) => ({ productId: product._id, quantity, rate, product: { ...perfume(), ...product, hsn } }));

export const meera = { name: home.name, email: home.email, phone: home.phone };
