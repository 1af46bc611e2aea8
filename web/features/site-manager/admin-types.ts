import type { ProductDetails } from '#domain/product/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { PaymentStatus } from '#domain/payment/rules.ts';
import type { OrderId, OrderNumber, ProductId } from '#domain/shared/ids.ts';
import type { CalendarDate, Instant } from '#domain/shared/time.ts';
import type { StockView } from '#domain/stock/view.ts';

/** The answer of `GET /admin/stats`, with sales in rupees. */
export type Stats = {
  readonly totalOrders: number;
  readonly lastWeekOrders: number;
  readonly totalProducts: number;
  readonly totalSubscribers: number;
  readonly totalSales: number;
  readonly lastMonthSales: number;
  readonly contactMessages: number;
};

/** What was sold of a product in a period and has not come back, in bottles and rupees without tax. */
export type Bestseller = {
  readonly _id: ProductId;
  readonly name: string;
  readonly productImageUrl: readonly string[];
  readonly bottles: number;
  readonly bottlesBefore: number;
  readonly sales: number;
};

/**
 * The answer of `GET /admin/sales`: a period, and the one before it, which is as long. Sales are those of orders placed on a day, less what came
 * back of them since. `average` is that of an order, null without one; `cameBack` is the price of what was received in the period, whenever it
 * was sold.
 */
export type Sales = {
  readonly days: readonly DayOfSales[];
  readonly daysBefore: readonly DayOfSales[];
  readonly average: number | null;
  readonly averageBefore: number | null;
  readonly cameBack: number;
  readonly cameBackBefore: number;
  readonly bestsellers: readonly Bestseller[];
};

/** A day in Indian time, with sales in rupees. */
export type DayOfSales = { readonly day: CalendarDate; readonly orders: number; readonly sales: number };

/** A mail that was given up. `to` is null if it cannot be read any more. */
type MailProblem = { readonly to: string | null; readonly reason: string; readonly at: Instant };

/**
 * An order of `GET /admin/orders`. `guest` means that no account has the order, so that staff may erase its personal data. `mismatch` has a
 * sentence for each mismatch of its payment, and `mailProblem` is the newest mail about the order that was given up.
 */
export type AdminOrder = OrderView & {
  readonly guest: boolean;
  readonly mismatch?: string;
  readonly mailProblem: MailProblem | null;
};

/** The answer of `GET /admin/health`: the state of projections, mail outbox, reactions and payment gateway. */
export type Health = {
  readonly projections: readonly ProjectionHealth[];
  readonly outbox: { readonly waiting: number; readonly parked: number; readonly waitingSince: Instant | null };
  /** Event handlers with parked streams. The list is empty when there are none. */
  readonly reactions: readonly { readonly name: string; readonly parkedStreams: number }[];
  /** True also in a shop without a payment gateway. */
  readonly isGatewayAvailable: boolean;
};
export type ProjectionHealth = {
  readonly name: string;
  readonly isBuilt: boolean;
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly parkedEvents: number;
  /** Whether a process is running the projection at the moment. */
  readonly isAtWork: boolean;
};

/** The body of `POST` and `PUT /product`. */
export type ProductFields = ProductDetails & { readonly price: string; readonly inStock: boolean };

export const productLists = ['all', 'outOfStock', 'featured', 'bestsellers', 'trending', 'withoutPicture'] as const;
export type ProductList = (typeof productLists)[number];
/** The answer of `GET /admin/products/counts`: the length of each list, and how many products are low on stock. */
export type ProductCounts = Readonly<Record<ProductList | 'low', number>>;

/** A row of `GET /product/:id/prices`: the price from a moment on. '' means that there is no price. */
export type PriceSince = { readonly price: string; readonly since: Instant; readonly by: { readonly kind: string; readonly id: string } };

export type Subscriber = { readonly _id: string; readonly email: string; readonly isActive: boolean; readonly createdAt: Instant };

export type ContactMessage = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly message: string;
  readonly createdAt: Instant;
  readonly state: 'new' | 'answered';
  /** The oldest is first; `by` is the name of a member of staff. */
  readonly answers: readonly { readonly text: string; readonly at: Instant; readonly by: string }[];
  /** The newest mail with an answer that was given up. */
  readonly mailProblem: MailProblem | null;
};

/** The lists of `GET /admin/payments?status=`. */
export const moneyLists = ['due', 'paid_today', 'paid', 'with_couriers', 'refunding', 'mismatch'] as const;
export type MoneyList = (typeof moneyLists)[number];

/** A payment in rupees, with or without an order. `mismatch` has a sentence for each mismatch. */
export type MoneyRow = {
  readonly _id: string;
  readonly orderId: OrderId | null;
  readonly orderNumber: OrderNumber | null;
  readonly status: PaymentStatus | 'mismatch';
  readonly amount: number;
  readonly received: number;
  readonly method: string | null;
  /** The time of the last change, or of placing. */
  readonly at: Instant;
  readonly mismatch?: string;
  /** In the list `with_couriers`. A courier without a name is empty. */
  readonly parcel?: { readonly courier: string; readonly to: string; readonly deliveredAt: Instant | null };
};

type Sum = { readonly count: number; readonly amount: number };
/** The answer of `GET /admin/payments/summary`, in rupees. `since` is the time of the first: null when there is none. */
export type PaymentSums = {
  readonly due: Sum & { readonly since: Instant | null };
  readonly paid_today: Sum;
  readonly with_couriers: Sum & { readonly since: Instant | null; readonly couriers: readonly (Sum & { readonly courier: string })[] };
  readonly refunding: Sum & { readonly since: Instant | null };
  /** `unknown` counts those that belong to no order. */
  readonly mismatch: { readonly count: number; readonly unknown: number };
};

export const outcomes = ['matched', 'short', 'over', 'unknown', 'duplicate', 'notDelivered'] as const;
export type RemittanceOutcome = (typeof outcomes)[number];

/** A line of a courier's file. The header is line 1. */
export type RemittanceRow = {
  readonly line: number;
  readonly orderNumber: string;
  readonly outcome: RemittanceOutcome;
  readonly expected: number | null;
  readonly received: number;
  /** '' for an unknown order. */
  readonly customer: string;
};

/** The answer of `POST /admin/remittances`: the number of lines per outcome, and the lines. */
export type Remittance = Readonly<Record<RemittanceOutcome, number>> & { readonly rows: readonly RemittanceRow[] };

export const stockLists = ['all', 'counted', 'low', 'out', 'uncounted'] as const;
export type StockList = (typeof stockLists)[number];

/** A product of `GET /admin/stock?list=`. `stock` and `counted`, when and by whom that was last, are null when it is not counted. */
export type StockedProduct = {
  readonly _id: ProductId;
  readonly name: string;
  readonly inStock: boolean;
  readonly productImageUrl: readonly string[];
  readonly stock: StockView | null;
  readonly counted: { readonly at: Instant; readonly by: string } | null;
};
/** The length of each list. */
export type StockCounts = Readonly<Record<StockList, number>>;

/** The body of `PUT /admin/stock/:productId`, in bottles. `count: null` stops counting. */
export type StockCommand =
  | { readonly count: number | null }
  | { readonly received: number }
  | { readonly removed: number; readonly reason: string }
  | { readonly lowAt: number | null };

/** A change of a product's stock. `by` is a name; `reason` says why bottles were removed. */
export type StockChange = {
  readonly at: Instant;
  readonly kind: 'counted' | 'received' | 'removed' | 'reserved' | 'released' | 'shipped' | 'restocked';
  readonly quantity: number;
  readonly reason?: string;
  readonly by: string;
  readonly orderId?: OrderId;
};

/** The answer of `GET /admin/stock/:productId`, newest change first. `stock` is null when the product is not counted. */
export type StockRecord = { readonly stock: StockView | null; readonly history: readonly StockChange[] };

/** A line of a file of counts, in bottles. The header is line 1. `before` is null when the product was not counted. */
export type CountedLine = { readonly line: number; readonly productId: ProductId; readonly before: number | null; readonly after: number };

/** The answer of `POST /admin/stock/import`. */
export type Counts = { readonly changed: number; readonly unchanged: number; readonly rows: readonly CountedLine[] };
