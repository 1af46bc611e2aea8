import * as icons from 'lucide-react';
import type { Actor } from '#domain/event-store.ts';
import type { MessageEvent } from '#domain/message/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { describeReason } from '#domain/payment/rules.ts';
import { mismatchText } from '#domain/payment/view.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { ReviewEvent } from '#domain/review/events.ts';
import type { StaffEvent } from '#domain/staff/events.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import type { TaxEvent } from '#domain/tax/events.ts';
import { dayText, momentText, shortMomentText } from '../../lib/dates.ts';
import { count } from '../../lib/format.ts';
import { methodText } from '../../lib/payment-text.ts';
import type { AuditEvent, AuditMail } from './audit-types.ts';

type Word = { readonly text: string; readonly Icon: icons.LucideIcon };

const labels: Readonly<Record<string, Word>> = {
  OrderCreated: { text: 'Checked out', Icon: icons.ShoppingBag },
  OrderRevised: { text: 'Checked out anew', Icon: icons.RefreshCw },
  OrderPlaced: { text: 'Placed', Icon: icons.PackageCheck },
  OrderConfirmed: { text: 'Confirmed', Icon: icons.CircleCheck },
  OrderPacked: { text: 'Packed', Icon: icons.Package },
  OrderUnpacked: { text: 'Not packed after all', Icon: icons.PackageOpen },
  OrderShipped: { text: 'Shipped', Icon: icons.Truck },
  ShipmentCorrected: { text: 'Shipment corrected', Icon: icons.Truck },
  OrderDelivered: { text: 'Delivered', Icon: icons.House },
  OrderCancelled: { text: 'Cancelled', Icon: icons.PackageX },
  OrderReturned: { text: 'Returned', Icon: icons.Undo2 },
  OrderEmailCorrected: { text: 'E-mail address corrected', Icon: icons.AtSign },
  PlacingAbandoned: { text: 'Placing given up', Icon: icons.Undo2 },
  MoveAbandoned: { text: 'Move given up', Icon: icons.Undo2 },
  OrderClaimed: { text: 'Taken over at sign-in', Icon: icons.UserRoundCheck },
  ItemAdded: { text: 'Put into the cart', Icon: icons.ShoppingBag },
  QuantityChanged: { text: 'Quantity changed', Icon: icons.RefreshCw },
  ItemRemoved: { text: 'Taken out of the cart', Icon: icons.PackageX },
  CartClosed: { text: 'Cart closed at sign-in', Icon: icons.UserRoundCheck },
  CartsMerged: { text: 'Carts merged at sign-in', Icon: icons.UserRoundCheck },
  OrderedItemsTaken: { text: 'Ordered, so out of the cart', Icon: icons.PackageCheck },
  ProductAdded: { text: 'Perfume added', Icon: icons.Tag },
  ProductDetailsRevised: { text: 'Perfume described anew', Icon: icons.RefreshCw },
  ProductPriceChanged: { text: 'Price changed', Icon: icons.Tag },
  ProductSoldOut: { text: 'Sold out', Icon: icons.PackageX },
  ProductRestocked: { text: 'In stock again', Icon: icons.PackageCheck },
  ProductRemoved: { text: 'Perfume removed', Icon: icons.PackageX },
  StockCounted: { text: 'Bottles counted', Icon: icons.PackageCheck },
  StockCountingEnded: { text: 'No longer counted', Icon: icons.PackageX },
  StockReceived: { text: 'Bottles received', Icon: icons.PackageCheck },
  StockRemoved: { text: 'Bottles removed', Icon: icons.PackageX },
  StockLowMarkSet: { text: 'Low mark set', Icon: icons.BellRing },
  StockReserved: { text: 'Reserved for an order', Icon: icons.ShoppingBag },
  StockReleased: { text: 'Released', Icon: icons.Undo2 },
  StockShipped: { text: 'Shipped with its order', Icon: icons.Truck },
  StockRestocked: { text: 'Came back with a return', Icon: icons.Undo2 },
  InvoiceIssued: { text: 'Invoice issued', Icon: icons.ReceiptText },
  CreditNoteIssued: { text: 'Credit note issued', Icon: icons.ReceiptText },
  TaxRateSet: { text: 'Tax rate set', Icon: icons.Percent },
  PaymentRequested: { text: 'Payment page opened', Icon: icons.Link2 },
  PaymentLinkClosed: { text: 'Payment page closed', Icon: icons.Link2Off },
  PaymentCaptured: { text: 'Paid', Icon: icons.CreditCard },
  PaymentFailed: { text: 'Payment failed', Icon: icons.TriangleAlert },
  PaymentReminded: { text: 'Reminded of the payment', Icon: icons.BellRing },
  LatePaymentsSought: { text: 'Late payments sought', Icon: icons.Search },
  RefundRequested: { text: 'Refund requested', Icon: icons.Undo2 },
  RefundSettled: { text: 'Refunded', Icon: icons.Undo2 },
  RefundRefused: { text: 'Refund refused', Icon: icons.TriangleAlert },
  CashCollected: { text: 'Cash received', Icon: icons.Banknote },
  MismatchFound: { text: 'Mismatch found', Icon: icons.TriangleAlert },
  MoveBegun: { text: 'Move begun, so no full refund', Icon: icons.Truck },
  ReviewWritten: { text: 'Review written', Icon: icons.Star },
  ReviewRevised: { text: 'Review changed', Icon: icons.RefreshCw },
  ReviewWithdrawn: { text: 'Review withdrawn', Icon: icons.Undo2 },
  ReviewHidden: { text: 'Review hidden', Icon: icons.EyeOff },
  ReviewShown: { text: 'Review shown again', Icon: icons.Eye },
  MessageAnswered: { text: 'Message answered', Icon: icons.Reply },
  StaffInvited: { text: 'Invited to the staff', Icon: icons.UserPlus },
  InvitationWithdrawn: { text: 'Invitation withdrawn', Icon: icons.UserMinus },
  StaffJoined: { text: 'Joined the staff', Icon: icons.UserCheck },
  StaffRolesChanged: { text: 'Roles changed', Icon: icons.UserCog },
  StaffDisabled: { text: 'Disabled', Icon: icons.UserX },
  StaffEnabled: { text: 'Enabled', Icon: icons.UserCheck },
  StaffLeft: { text: 'Left the staff', Icon: icons.UserMinus },
  WishAdded: { text: 'Wished for', Icon: icons.Heart },
  WishRemoved: { text: 'Not wished for any more', Icon: icons.HeartOff },
  WishesMerged: { text: 'Wishes of the visitor taken over', Icon: icons.HeartPlus },
  MoveEnded: { text: 'Move ended', Icon: icons.Truck },
};

/** Returns an event's label; an unknown event type is shown by its name. */
export const labelFor = (type: string): Word => labels[type] ?? { text: type, Icon: icons.CircleHelp };

const roles: Readonly<Record<Actor['kind'], string>> = { visitor: 'Visitor', user: 'Shopper', admin: 'Admin', system: 'The shop itself' };

export const describeRole = ({ kind }: Actor): string => roles[kind];

/** Returns the actor's name, or the id when there is no such account (any more). */
export const describeActor = (actor: Actor, people: Readonly<Record<string, { readonly name: string }>>): string =>
  people[actor.id]?.name ?? (actor.kind === 'system' ? actor.id : `${actor.id.slice(0, 8)}…`);

/** Returns the actor's role and id, for lists that come without account names. */
export const actorText = ({ metadata }: Pick<AuditEvent, 'metadata'>): string =>
  metadata ? `${describeRole(metadata.actor)} ${describeActor(metadata.actor, {})}` : 'unknown';

type Noted = PaymentEvent | StockEvent | TaxEvent | ReviewEvent | MessageEvent | StaffEvent;
type Note = { readonly [Type in Noted['type']]?: (data: Extract<Noted, { type: Type }>['data']) => string };

const bottles = ({ quantity }: { readonly quantity: number }): string => count(quantity, 'bottle');

const describeReview = ({ rating, text }: { readonly rating: number; readonly text: string }): string =>
  `${count(rating, 'star')}${text === '' ? '' : `: ${text}`}`;

const listRoles = ({ roles: given }: { readonly roles: readonly string[] }): string => (given.length > 0 ? given.join(', ') : 'No rights');

/** Each note gives the facts of a payment, stock, tax, review or staff event, or of an answer, in one line. */
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
  ReviewWritten: describeReview,
  ReviewRevised: describeReview,
  MessageAnswered: ({ text }) => text,
  StaffInvited: listRoles,
  StaffJoined: listRoles,
  StaffRolesChanged: listRoles,
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

/** Returns `9 Nov, 13:18`, in Indian time, or that it is unknown. */
export const momentOrUnknown = (moment: Instant | null): string => (moment === null ? 'at an unknown time' : shortMomentText(moment));

/** Returns `9 Nov 2026, 13:18:41.204`, in Indian time. */
export const exactMomentText = (moment: Instant | null): string =>
  moment === null ? 'at an unknown time' : momentText(moment) + new Date(moment).toISOString().slice(16, 23);

/** Several events of an order may have the type of the one that a mail is about. */
export const isMailAbout = ({ about, revision }: AuditMail, event: AuditEvent): boolean =>
  about === event.type && (revision ?? event.revision) === event.revision;

export const mailText = ({ state, sentAt }: Pick<AuditMail, 'state' | 'sentAt'>): string =>
  state === 'sent' ? `Mail sent ${momentOrUnknown(sentAt)}` : state === 'waiting' ? 'Mail on its way' : 'Mail could not be sent';

/** Returns the first eight digits, or zeroes without a hash. */
export const shortHash = (hash: string | undefined): string => (hash ?? '').slice(0, 8).padEnd(8, '0');
