import { PERFUMES, STANDARD_RATE } from '#domain/tax/rates.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import { normalizeShipping } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { NO_TEXT } from '#domain/shared/text.ts';
import { orderId, orderNumber, productId } from '#domain/shared/ids.ts';
import type { OrderItemView } from '#domain/order/view.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import type {
  AdminOrder,
  ContactMessage,
  DayOfSales,
  Health,
  MoneyList,
  MoneyRow,
  PaymentSums,
  Sales,
  Stats,
  Subscriber,
} from '../admin-types.ts';
import { perfume } from '../../../testing/perfumes.ts';
import type { StockView } from '#domain/stock/view.ts';

export const noon = instant('2026-11-21T06:30:00.000Z');

export const stats: Stats = {
  totalOrders: 1284,
  lastWeekOrders: 46,
  totalProducts: 30,
  totalSubscribers: 3912,
  totalSales: 6_148_310.4,
  lastMonthSales: 521_940.2,
  contactMessages: 18,
};

/** Returns Oud Saffron Majlis with changed fields, as staff see it. */
export const product = (changes: Partial<StaffProductView> = {}): StaffProductView => ({
  ...perfume(changes),
  ratingStar: 4.5,
  productDetails: ['50 ml spray', 'Top: saffron, nutmeg · Base: Assam oud, leather'],
  isFeatured: false,
  revision: 3,
  stock: null,
  ...changes,
});

export const stockOf = (onHand: number, reserved = 0, lowAt: number | null = null): StockView => ({
  onHand,
  reserved,
  available: onHand - reserved,
  lowAt,
});

export const item = (name: string, quantity = 1): OrderItemView => {
  const _id = productId(name.toLowerCase().replaceAll(' ', '-'));
  return {
    product: { _id, id: _id, name, price: '₹2,150.00', productImageUrl: [], details: '' },
    quantity,
    hsn: PERFUMES,
    rate: STANDARD_RATE,
  };
};

const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** Returns the number of the nth of many orders. */
export const orderNumberOf = (nth: number): string => `RH-AAAAAA${SIGNS[Math.floor(nth / 25)]}${SIGNS[nth % 25]}`;

type Ordered = {
  readonly number?: string;
  readonly status?: OrderStatus;
  readonly items?: readonly OrderItemView[];
  readonly name?: string;
  readonly guest?: boolean;
  readonly payment?: Partial<PaymentView>;
  readonly mailProblem?: AdminOrder['mailProblem'];
  readonly placeOfSupply?: AdminOrder['placeOfSupply'];
  readonly shipment?: AdminOrder['shipment'];
  readonly returns?: AdminOrder['returns'];
};

/** Returns Ananya's payment. Without `refundable` it has what came, if it did, and did not go back. */
const paymentOf = (changes: Partial<PaymentView>): PaymentView => {
  const payment = { status: 'on_delivery', amount: 10_541, refunded: 0, refundable: 0, refunds: [], ...changes } as const;
  if (changes.refundable !== undefined || !['paid', 'collected', 'partly_refunded', 'refunding'].includes(payment.status)) return payment;
  return { ...payment, refundable: payment.refunds.reduce((left, { amount }) => left - amount, payment.amount) };
};

/** Returns Ananya's order of two products. The id is derived from the number. */
export const order = ({
  number = 'RH-7K3MQ2XA',
  status = 'pending',
  items,
  name = 'Ananya Mehta',
  guest = true,
  payment = {},
  mailProblem = null,
  placeOfSupply = 'Maharashtra',
  shipment = null,
  returns = [],
}: Ordered = {}): AdminOrder => ({
  guest,
  mailProblem,
  return: returns.at(-1) ?? null,
  returns,
  _id: orderId(
    `00000000-0000-4000-8000-${[...number]
      .map((sign) => sign.charCodeAt(0).toString(16))
      .join('')
      .slice(-12)}`,
  ),
  orderNumber: orderNumber(number),
  payment: paymentOf(payment),
  status,
  items: items ?? [item('Oud Saffron Majlis'), item('Mogra at Dusk', 2)],
  shippingAddress: normalizeShipping({
    name,
    address1: '12 Carter Road',
    address2: 'Flat 4B',
    city: 'Mumbai',
    state: 'Maharashtra',
    postalCode: '400050',
    country: 'India',
    phone: '+91 98200 55501',
    email: 'ananya@example.com',
  }),
  subtotal: 8933.05,
  tax: 1607.95,
  shipping: 0,
  discount: 0,
  total: 10_541,
  giftWrap: false,
  ...mapOrderTexts(() => NO_TEXT),
  paymentMethod: 'COD',
  createdAt: noon,
  placedAt: noon,
  estimatedDelivery: null,
  history: [],
  placeOfSupply,
  packedAt: null,
  shipment,
});

export const message = (changes: Partial<ContactMessage> = {}): ContactMessage => ({
  _id: '1',
  name: 'Meher Contractor',
  email: 'meher@example.com',
  phone: '+91 98210 55511',
  message: 'Is Mitti After Rain the same oil as last year’s?',
  createdAt: noon,
  state: 'new',
  answers: [],
  mailProblem: null,
  ...changes,
});

export const subscriber = (email: string, isActive = true): Subscriber => ({ _id: email, email, isActive, createdAt: noon });

/** Returns sales that rise from 0 on the first day to the last, and half of that in the period before. */
export const createSales = (count: number): Sales => {
  const daysUntil = (last: number, factor: number): DayOfSales[] =>
    Array.from({ length: count }, (_, index) => ({
      day: dateInIndia(noon, last + index - count + 1),
      orders: index,
      sales: index * factor * 1000.5,
    }));
  const [_id, name] = [productId('mogra-at-dusk'), 'Mogra at Dusk'];
  return {
    days: daysUntil(0, 1),
    daysBefore: daysUntil(-count, 0.5),
    average: 4788.44,
    averageBefore: 4755.29,
    cameBack: 8083,
    cameBackBefore: 6962,
    bestsellers: [{ _id, name, productImageUrl: [], bottles: 41, bottlesBefore: 36, sales: 88_150 }],
  };
};

/** Returns the sums of these lists, all of one courier. */
export const sumPayments = (payments: Partial<Record<MoneyList, MoneyRow[]>>): PaymentSums => {
  const sumOf = (list: MoneyList) => {
    const rows = payments[list] ?? [];
    return { count: rows.length, amount: rows.reduce((sum, { amount }) => sum + amount, 0), since: rows.length === 0 ? null : noon };
  };
  const { since, ...owed } = sumOf('with_couriers');
  return {
    due: sumOf('due'),
    paid_today: sumOf('paid_today'),
    with_couriers: { ...owed, since, couriers: owed.count === 0 ? [] : [{ courier: 'Delhivery', ...owed }] },
    refunding: sumOf('refunding'),
    mismatch: { count: payments.mismatch?.length ?? 0, unknown: 0 },
  };
};

export const health: Health = {
  projections: [
    { name: 'catalogue', isBuilt: true, lagEvents: 0, lagSeconds: 0, parkedEvents: 0, isAtWork: true },
    { name: 'orders-desk', isBuilt: true, lagEvents: 0, lagSeconds: 0, parkedEvents: 0, isAtWork: true },
  ],
  outbox: { waiting: 0, parked: 0, waitingSince: null },
  reactions: [],
  isGatewayAvailable: true,
};

/** Returns a payment of the order with this number, as the list of due payments has it. */
export const moneyRow = (number: string, changes: Partial<MoneyRow> = {}): MoneyRow => {
  const { _id, orderNumber: named } = order({ number });
  return { _id, orderId: _id, orderNumber: named, status: 'due', amount: 10_541, received: 0, method: null, at: noon, ...changes };
};

/** Returns the nth invoice of the year, of Ananya's order. */
export const invoice = (nth: number, changes: object = {}) => ({
  number: `RH/26-27/${String(nth).padStart(6, '0')}`,
  date: '2026-11-21',
  orderId: `0b8c-${nth}`,
  orderNumber: `RH-AAAAAA${nth}`,
  seller: { name: 'RUHANI', address: 'Lane 1, Kannauj', state: 'Uttar Pradesh' },
  buyer: { name: 'Ananya Mehta', address: '12 Carter Road', state: 'Maharashtra' },
  placeOfSupply: 'Maharashtra',
  taxableValue: 8933.05,
  cgst: 0,
  sgst: 0,
  igst: 1607.95,
  giftWrap: 0,
  total: 10_541,
  ...changes,
});
