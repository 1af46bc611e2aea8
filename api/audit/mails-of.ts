import type { OrderId } from '#domain/shared/ids.ts';

import type { ShopDatabase } from '../shop-tables.ts';

/** Events of an order that are told to its shopper, and what the mail about each is caused by (reactions/when-order-moves-tell-shopper.ts). */
const CAUSES = {
  OrderPlaced: 'order-placed',
  OrderShipped: 'order-shipped',
  OrderDelivered: 'order-delivered',
  OrderCancelled: 'order-cancelled',
} as const;

/** A mail that an order sent: about which of its events, and how far it is. Its text is gone from the outbox once it was sent. */
export type OrderMailView = {
  readonly about: keyof typeof CAUSES;
  readonly state: 'waiting' | 'sent' | 'parked';
  readonly createdAt: string;
  readonly sentAt: string | null;
};

/** The mails that an order sent, oldest first. */
export const mailsOf = async (db: ShopDatabase, id: OrderId): Promise<readonly OrderMailView[]> => {
  const causes = new Map(Object.entries(CAUSES).map(([type, kind]) => [`${kind}:${id}`, type as keyof typeof CAUSES]));
  const rows = await db
    .selectFrom('outbox')
    .select(['cause', 'state', 'created_at', 'sent_at'])
    .where('cause', 'in', [...causes.keys()])
    .orderBy('number')
    .execute();
  return rows.flatMap(({ cause, state, created_at, sent_at }) => {
    const about = causes.get(cause);
    return about ? [{ about, state, createdAt: created_at.toISOString(), sentAt: sent_at?.toISOString() ?? null }] : [];
  });
};
