import { isLost } from '../event-store.ts';
import { priceText } from '../product/view.ts';
import type { OrderId, OrderNumber, ProductId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import { rupees } from '../shared/money.ts';
import type { PlaceOfSupply } from '../shared/states.ts';
import type { PersonalText } from '../shared/text.ts';
import { PERFUMES, STANDARD_RATE, type Hsn, type TaxRate } from '../tax/rates.ts';
import {
  estimatedDelivery,
  findPlaceOfSupply,
  type DeliveryWindow,
  type OrderStatus,
  type ExistingOrder,
  type HistoryEntry,
  type OrderProgress,
  type OrderReturn,
  type ReturnStatus,
} from './rules.ts';
import type { Checkout, OrderLine, PaymentMethod, ReturnLine, ShippingAddress } from './events.ts';
import { NO_PAYMENT, type Payment } from '../payment/rules.ts';
import { viewPayment, type PaymentView } from '../payment/view.ts';
import { viewShipment, type Shipment } from './shipment-texts.ts';
import { mapOrderTexts, type OrderTexts } from './texts.ts';
import { computeTotals, paymentTerms, type Totals } from './totals.ts';

/** `price` is the price at which it was sold, as text in en-IN format. */
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
  readonly hsn: Hsn;
  /** The tax rate is in per cent. */
  readonly rate: TaxRate;
};

/** The part of an order's view that comes from its checkout. Amounts are in rupees, and missing texts are empty. */
type OrderContentsView = OrderTexts & {
  readonly items: readonly OrderItemView[];
  readonly shippingAddress: ShippingAddress;
  readonly subtotal: number;
  readonly tax: number;
  readonly shipping: number;
  readonly discount: number;
  readonly total: number;
  readonly giftWrap: boolean;
};

/** The part of an order's view that comes from its status. The fields about placing are null before it is placed. */
type OrderProgressView = {
  readonly _id: OrderId;
  readonly orderNumber: OrderNumber | null;
  readonly status: OrderStatus;
  readonly paymentMethod: PaymentMethod | null;
  readonly createdAt: Instant;
  readonly placedAt: Instant | null;
  readonly estimatedDelivery: DeliveryWindow | null;
  readonly history: readonly { readonly status: OrderStatus; readonly at: Instant; readonly note?: PersonalText }[];
};

/** `value`, in rupees, goes back when the bottles have come back. `note` is that of the staff's decision. */
export type ReturnView = {
  readonly _id: string;
  readonly status: ReturnStatus;
  readonly lines: readonly ReturnLine[];
  readonly value: number;
  readonly reason: PersonalText;
  readonly requestedAt: Instant;
  readonly decidedAt?: Instant;
  readonly note?: PersonalText;
  readonly receivedAt?: Instant;
  readonly restock?: boolean;
};

export type OrderView = OrderProgressView &
  OrderContentsView & {
    readonly payment: PaymentView;
    /** The newest return, or null. `returns` has all of them, oldest first. */
    readonly return: ReturnView | null;
    readonly returns: readonly ReturnView[];
    /** The value is null while nobody knows the state of delivery. */
    readonly placeOfSupply: PlaceOfSupply | null;
    readonly packedAt: Instant | null;
    /** The value is null until the order ships. */
    readonly shipment: Shipment | null;
  };

/** Returns whether the shopper cannot be reached: every field of a lost address has the same text. */
export const isUnreachable = ({ shippingAddress: { name, email } }: Pick<OrderView, 'shippingAddress'>): boolean =>
  isLost(name) && email === name;

const viewLine = ({
  productId,
  name,
  details,
  picture,
  unitPrice,
  quantity,
  hsn = PERFUMES,
  rate = STANDARD_RATE,
}: OrderLine): OrderItemView => ({
  product: { _id: productId, id: productId, name, price: priceText(unitPrice), productImageUrl: picture === '' ? [] : [picture], details },
  quantity,
  hsn,
  rate,
});

const viewEntry = ({ status, at, note }: HistoryEntry): OrderProgressView['history'][number] =>
  note === '' ? { status, at } : { status, at, note };

const viewContents = (checkout: Checkout & OrderTexts, { subtotal, tax, shipping, discount, total }: Totals): OrderContentsView => ({
  items: checkout.lines.map(viewLine),
  shippingAddress: checkout.shippingAddress,
  subtotal: rupees(subtotal),
  tax: rupees(tax),
  shipping: rupees(shipping),
  discount: rupees(discount),
  total: rupees(total),
  giftWrap: checkout.giftWrap,
  ...mapOrderTexts((field) => checkout[field]),
});

const viewProgress = (id: OrderId, { status, createdAt, placement, history }: OrderProgress): OrderProgressView => ({
  _id: id,
  orderNumber: placement?.number ?? null,
  status,
  paymentMethod: placement?.method ?? null,
  createdAt,
  placedAt: placement?.placedAt ?? null,
  estimatedDelivery: placement === null ? null : estimatedDelivery(placement.placedAt),
  history: history.map(viewEntry),
});

export const returnViewId = (id: OrderId, number: number): string => `${id}-${number}`;

export const viewReturn = (id: OrderId, of: OrderReturn): ReturnView => ({
  _id: returnViewId(id, of.id),
  status: of.status,
  lines: of.lines,
  value: rupees(of.value),
  reason: of.reason,
  requestedAt: of.requestedAt,
  ...(of.decidedAt !== null && { decidedAt: of.decidedAt }),
  ...(of.note !== '' && { note: of.note }),
  ...(of.receivedAt !== null && { receivedAt: of.receivedAt }),
  ...(of.restock !== null && { restock: of.restock }),
});

export const viewOrder = (id: OrderId, order: ExistingOrder, payment: Payment = NO_PAYMENT): OrderView => {
  const totals = computeTotals(order);
  const returns = order.returns.map((each) => viewReturn(id, each));
  return {
    ...viewProgress(id, order),
    ...viewContents(order, totals),
    payment: viewPayment({ ...paymentTerms(order), total: totals.total }, payment),
    return: returns.at(-1) ?? null,
    returns,
    placeOfSupply: findPlaceOfSupply(order) ?? null,
    packedAt: order.packedAt,
    shipment: order.shipment && viewShipment(order.shipment),
  };
};
