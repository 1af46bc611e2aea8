import type { OrderEvent } from '#domain/order/events.ts';
import type { Revision } from '#domain/event-store.ts';
import { isOrderId, type OrderId } from '#domain/shared/ids.ts';

type OrderMail = { readonly about: OrderEvent['type']; readonly repeats?: true };

/**
 * These are the mails about events of orders. The kind is part of the cause in the outbox and must not change; an order gets several mails
 * of a kind that `repeats`, whose causes end with the revision of their events.
 */
const ORDER_MAILS = {
  'order-placed': { about: 'OrderPlaced' },
  'order-confirmed': { about: 'OrderConfirmed' },
  'order-shipped': { about: 'OrderShipped' },
  'shipment-corrected': { about: 'ShipmentCorrected', repeats: true },
  'order-delivered': { about: 'OrderDelivered' },
  'order-cancelled': { about: 'OrderCancelled' },
  'return-requested': { about: 'ReturnRequested', repeats: true },
  'return-accepted': { about: 'ReturnDecided', repeats: true },
  'return-refused': { about: 'ReturnDecided', repeats: true },
  'return-received': { about: 'ReturnReceived', repeats: true },
} as const satisfies Readonly<Record<string, OrderMail>>;

export type OrderMailKind = keyof typeof ORDER_MAILS;
export type MailedEvent = (typeof ORDER_MAILS)[OrderMailKind]['about'];

const kinds = Object.entries(ORDER_MAILS) as readonly (readonly [OrderMailKind, OrderMail & { readonly about: MailedEvent }])[];

export const orderMailCause = (kind: OrderMailKind, id: OrderId, revision: Revision): string =>
  'repeats' in ORDER_MAILS[kind] ? `${kind}:${id}:${revision}` : `${kind}:${id}`;

/** Returns the causes of the mails that an order gets once, and the beginnings of the causes of others. */
export const orderMailCauses = (id: OrderId): { readonly whole: readonly string[]; readonly beginnings: readonly string[] } => ({
  whole: kinds.flatMap(([kind, { repeats }]) => (repeats ? [] : [`${kind}:${id}`])),
  beginnings: kinds.flatMap(([kind, { repeats }]) => (repeats ? [`${kind}:${id}:`] : [])),
});

/** Returns the type of the event that a mail is about, and its revision if there may be several; undefined for other mails. */
export const findMailedEvent = (cause: string): { readonly about: MailedEvent; readonly revision?: Revision } | undefined => {
  const [kind, id = '', revision] = cause.split(':');
  const known = kinds.find(([name]) => name === kind);
  if (!known || !isOrderId(id)) return undefined;
  return { about: known[1].about, ...(revision !== undefined && { revision: Number(revision) }) };
};

/** Returns the causes of the mails about an order's payment; those of refunds end with the refund's id. */
export const paymentMailCauses = (id: OrderId) => ({
  paid: `order-paid:${id}`,
  reminder: `payment-reminder:${id}`,
  refunded: `order-refunded:${id}:`,
});
