import { priceText } from '../product/view.ts';
import type { OrderId, ProductId } from '../shared/ids.ts';
import type { Instant } from '../shared/instant.ts';
import { rupees } from '../shared/money.ts';
import { estimatedDelivery, type DeliveryWindow } from './delivery.ts';
import type { OrderLine, PaymentMethod } from './events.ts';
import type { OrderNumber } from './order-number.ts';
import type { ShippingAddress } from './shipping.ts';
import type { ExistingOrder, HistoryEntry } from './state.ts';
import type { OrderStatus } from './status.ts';
import { totalsOf } from './totals.ts';

/** `price` is text in en-IN format, as sold. */
export type OrderItemView = {
  readonly product: {
    readonly _id: ProductId;
    readonly id: ProductId;
    readonly name: string;
    readonly price: string;
    readonly productImageUrl: readonly string[];
    readonly details: string;
  };
  readonly quantity: number;
};

/** An order as every client sees it (decisions, sections 3 and 7). Amounts are rupees; what only placing gives is null before. */
export type OrderView = {
  readonly _id: OrderId;
  readonly orderNumber: OrderNumber | null;
  readonly status: OrderStatus;
  readonly items: readonly OrderItemView[];
  readonly shippingAddress: ShippingAddress;
  readonly subtotal: number;
  readonly tax: number;
  readonly shipping: number;
  readonly discount: number;
  readonly total: number;
  readonly giftWrap: boolean;
  readonly giftMessage: string;
  readonly paymentMethod: PaymentMethod | null;
  readonly createdAt: Instant;
  readonly placedAt: Instant | null;
  readonly estimatedDelivery: DeliveryWindow | null;
  readonly history: readonly { readonly status: OrderStatus; readonly at: Instant; readonly note?: string }[];
};

const viewLine = ({ productId, name, details, picture, unitPrice, quantity }: OrderLine): OrderItemView => ({
  product: { _id: productId, id: productId, name, price: priceText(unitPrice), productImageUrl: picture === '' ? [] : [picture], details },
  quantity,
});

const viewEntry = ({ status, at, note }: HistoryEntry): OrderView['history'][number] =>
  note === '' ? { status, at } : { status, at, note };

export const viewOrder = (id: OrderId, order: ExistingOrder): OrderView => {
  const { subtotal, tax, shipping, discount, total } = totalsOf(order);
  const { placement } = order;
  return {
    _id: id,
    orderNumber: placement?.number ?? null,
    status: order.status,
    items: order.lines.map(viewLine),
    shippingAddress: order.shippingAddress,
    subtotal: rupees(subtotal),
    tax: rupees(tax),
    shipping: rupees(shipping),
    discount: rupees(discount),
    total: rupees(total),
    giftWrap: order.giftWrap,
    giftMessage: order.giftMessage,
    paymentMethod: placement?.method ?? null,
    createdAt: order.createdAt,
    placedAt: placement?.placedAt ?? null,
    estimatedDelivery: placement === null ? null : estimatedDelivery(placement.placedAt),
    history: order.history.map(viewEntry),
  };
};
