import {
  Banknote,
  BellRing,
  CircleCheck,
  CircleHelp,
  CreditCard,
  House,
  Link2,
  Link2Off,
  PackageCheck,
  PackageX,
  Percent,
  ReceiptText,
  RefreshCw,
  ShoppingBag,
  Tag,
  TriangleAlert,
  Truck,
  Search,
  Undo2,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react';
import type { Actor } from '#domain/event-store.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { describeReason } from '#domain/payment/rules.ts';
import { mismatchText } from '#domain/payment/view.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import type { TaxEvent } from '#domain/tax/events.ts';
import { dayText } from '../../lib/dates.ts';
import { momentText } from '../../lib/dates.ts';
import { count } from '../../lib/numbers.ts';
import { methodText } from '../../lib/payment-text.ts';
import type { AuditEvent, AuditMail } from './audit-types.ts';

type Word = { readonly text: string; readonly Icon: LucideIcon };

const labels: Readonly<Record<string, Word>> = {
  OrderCreated: { text: 'Checked out', Icon: ShoppingBag },
  OrderRevised: { text: 'Checked out anew', Icon: RefreshCw },
  OrderPlaced: { text: 'Placed', Icon: PackageCheck },
  OrderConfirmed: { text: 'Confirmed', Icon: CircleCheck },
  OrderShipped: { text: 'Shipped', Icon: Truck },
  OrderDelivered: { text: 'Delivered', Icon: House },
  OrderCancelled: { text: 'Cancelled', Icon: PackageX },
  OrderReturned: { text: 'Returned', Icon: Undo2 },
  PlacingAbandoned: { text: 'Placing given up', Icon: Undo2 },
  OrderClaimed: { text: 'Taken over at sign-in', Icon: UserRoundCheck },
  ItemAdded: { text: 'Put into the cart', Icon: ShoppingBag },
  QuantityChanged: { text: 'Quantity changed', Icon: RefreshCw },
  ItemRemoved: { text: 'Taken out of the cart', Icon: PackageX },
  CartClosed: { text: 'Cart closed at sign-in', Icon: UserRoundCheck },
  CartsMerged: { text: 'Carts merged at sign-in', Icon: UserRoundCheck },
  OrderedItemsTaken: { text: 'Ordered, so out of the cart', Icon: PackageCheck },
  ProductAdded: { text: 'Perfume added', Icon: Tag },
  ProductDetailsRevised: { text: 'Perfume described anew', Icon: RefreshCw },
  ProductPriceChanged: { text: 'Price changed', Icon: Tag },
  ProductSoldOut: { text: 'Sold out', Icon: PackageX },
  ProductRestocked: { text: 'In stock again', Icon: PackageCheck },
  ProductRemoved: { text: 'Perfume removed', Icon: PackageX },
  StockCounted: { text: 'Bottles counted', Icon: PackageCheck },
  StockCountingEnded: { text: 'No longer counted', Icon: PackageX },
  StockReceived: { text: 'Bottles received', Icon: PackageCheck },
  StockRemoved: { text: 'Bottles removed', Icon: PackageX },
  StockLowMarkSet: { text: 'Low mark set', Icon: BellRing },
  StockReserved: { text: 'Reserved for an order', Icon: ShoppingBag },
  StockReleased: { text: 'Released', Icon: Undo2 },
  StockShipped: { text: 'Shipped with its order', Icon: Truck },
  StockRestocked: { text: 'Came back with a return', Icon: Undo2 },
  InvoiceIssued: { text: 'Invoice issued', Icon: ReceiptText },
  CreditNoteIssued: { text: 'Credit note issued', Icon: ReceiptText },
  TaxRateSet: { text: 'Tax rate set', Icon: Percent },
  PaymentRequested: { text: 'Payment page opened', Icon: Link2 },
  PaymentLinkClosed: { text: 'Payment page closed', Icon: Link2Off },
  PaymentCaptured: { text: 'Paid', Icon: CreditCard },
  PaymentFailed: { text: 'Payment failed', Icon: TriangleAlert },
  PaymentReminded: { text: 'Reminded of the payment', Icon: BellRing },
  LatePaymentsSought: { text: 'Late payments sought', Icon: Search },
  RefundRequested: { text: 'Refund requested', Icon: Undo2 },
  RefundSettled: { text: 'Refunded', Icon: Undo2 },
  RefundRefused: { text: 'Refund refused', Icon: TriangleAlert },
  CashCollected: { text: 'Cash received', Icon: Banknote },
  MismatchFound: { text: 'Mismatch found', Icon: TriangleAlert },
};

/** Returns an event's label; an unknown event type is shown by its name. */
export const labelFor = (type: string): Word => labels[type] ?? { text: type, Icon: CircleHelp };

const roles: Readonly<Record<Actor['kind'], string>> = { visitor: 'Visitor', user: 'Shopper', admin: 'Admin', system: 'The shop itself' };

export const describeRole = ({ kind }: Actor): string => roles[kind];

/** Returns the actor's name, or the id when there is no such account (any more). */
export const describeActor = (actor: Actor, people: Readonly<Record<string, { readonly name: string }>>): string =>
  people[actor.id]?.name ?? (actor.kind === 'system' ? actor.id : `${actor.id.slice(0, 8)}…`);

/** Returns the actor's role and id, for lists that come without account names. */
export const actorText = ({ metadata }: Pick<AuditEvent, 'metadata'>): string =>
  metadata ? `${describeRole(metadata.actor)} ${describeActor(metadata.actor, {})}` : 'unknown';

type Noted = PaymentEvent | StockEvent | TaxEvent;
type Note = { readonly [Type in Noted['type']]?: (data: Extract<Noted, { type: Type }>['data']) => string };

const bottles = ({ quantity }: { readonly quantity: number }): string => count(quantity, 'bottle');

/** Each note gives the facts of a payment, stock or tax event in one line. */
const notes: Note = {
  PaymentRequested: ({ total }) => formatRupees(total),
  PaymentCaptured: ({ amount, total, method }) =>
    `${formatRupees(amount)}${amount === total ? '' : ` of ${formatRupees(total)}`}, ${methodText(method)}`,
  PaymentFailed: ({ why }) => why,
  RefundRequested: ({ amount, ...refund }) => `${formatRupees(amount)}: ${describeReason(refund)}`,
  RefundSettled: ({ refund }) => `Refund ${refund}`,
  RefundRefused: ({ refund, why, isLast }) => `Refund ${refund}: ${why}${isLast ? '. It is not tried again.' : ''}`,
  CashCollected: ({ amount, total, reference }) =>
    `${formatRupees(amount)}${amount === total ? '' : ` of ${formatRupees(total)}`}${reference === '' ? '' : `, remittance ${reference}`}`,
  MismatchFound: ({ mismatch }) => mismatchText(mismatch),
  TaxRateSet: ({ hsn, rate, from }) => `${hsn}: ${rate}% from ${dayText(instant(`${from}T00:00:00.000Z`))} on`,
  StockCounted: bottles,
  StockReceived: bottles,
  StockRemoved: (data) => `${bottles(data)}: ${data.reason}`,
  StockLowMarkSet: ({ lowAt }) => (lowAt === null ? 'Never low' : `Low at ${count(lowAt, 'bottle')}`),
  StockReserved: bottles,
  StockReleased: bottles,
  StockShipped: bottles,
  StockRestocked: bottles,
};

/** Returns the note of such an event. It is undefined for other events and for data that the shop would not have written. */
const describeFacts = (type: string, data: unknown): string | undefined => {
  const note = Object.entries(notes).find(([name]) => name === type)?.[1] as ((of: unknown) => string) | undefined;
  try {
    return note?.(data);
  } catch {
    return undefined;
  }
};

/** Returns the facts of a payment or stock event, else the reason or note in the event's data, if any. */
export const findNote = ({ type, data }: AuditEvent): string | undefined => {
  const facts = describeFacts(type, data);
  if (facts !== undefined) return facts;
  const said = [data?.['note'], data?.['reason'], data?.['method']].find((each) => typeof each === 'string' && each !== '');
  return typeof said === 'string' ? said : undefined;
};

/** Returns `9 Nov, 13:18`, in Indian time. */
export const shortMomentText = (moment: Instant | null): string =>
  moment === null ? 'at an unknown time' : momentText(moment).replace(/ \d{4}(?=,)/, '');

/** Returns `9 Nov 2026, 13:18:41.204`, in Indian time. */
export const exactMomentText = (moment: Instant | null): string =>
  moment === null ? 'at an unknown time' : momentText(moment) + new Date(moment).toISOString().slice(16, 23);

export const mailText = ({ state, sentAt }: Pick<AuditMail, 'state' | 'sentAt'>): string =>
  state === 'sent' ? `Mail sent ${shortMomentText(sentAt)}` : state === 'waiting' ? 'Mail on its way' : 'Mail could not be sent';

/** Returns the first eight digits, or zeroes without a hash. */
export const shortHash = (hash: string | undefined): string => (hash ?? '').slice(0, 8).padEnd(8, '0');
