import { sql } from 'kysely';

import type { OrderId } from '#domain/shared/ids.ts';

import { messageIdOf } from '../../mail/sender.ts';
import { orderMailCauses, type ToldEvent } from '../../reactions/when-order-moves-tell-shopper.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';

/** A mail that an order sent: about which of its events, and how far it is. Its text is gone from the outbox once it was sent. */
export type OrderMailView = {
  readonly about: ToldEvent;
  readonly state: 'waiting' | 'sent' | 'parked';
  readonly createdAt: string;
  readonly sentAt: string | null;
  /** What its Message-ID begins with, by which mail servers know it. */
  readonly messageId: string;
  /** Where it can be read, if the shop has caught it itself. */
  readonly mailbox: string | null;
};

/** Those of these mails that were caught, as addresses in the mailbox by what their Message-IDs begin with. */
const caughtOf = async (db: ShopDatabase, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const sender = sql<string>`split_part(ltrim(message_id, '<'), '@', 1)`;
  const rows = await db
    .selectFrom('caught_mail')
    .select(['id', sender.as('known')])
    .where(sql<boolean>`${sender} = any(${messageIds})`)
    .execute();
  return new Map(rows.map(({ id, known }) => [known, `/dev/mailbox?message=${id}`]));
};

/** The mails that an order sent, oldest first; `hasMailbox` where those that were caught can be read. */
export const mailsOf = async (db: ShopDatabase, id: OrderId, hasMailbox: boolean): Promise<readonly OrderMailView[]> => {
  const causes = orderMailCauses(id);
  const rows = await db
    .selectFrom('outbox')
    .select(['cause', 'state', 'created_at', 'sent_at'])
    .where('cause', 'in', [...causes.keys()])
    .orderBy('number')
    .execute();
  const caught = hasMailbox && rows.length > 0 ? await caughtOf(db, [...causes.keys()].map(messageIdOf)) : new Map<string, string>();
  return rows.flatMap(({ cause, state, created_at, sent_at }) => {
    const about = causes.get(cause);
    const messageId = messageIdOf(cause);
    const [createdAt, sentAt] = [created_at.toISOString(), sent_at?.toISOString() ?? null];
    return about ? [{ about, state, createdAt, sentAt, messageId, mailbox: caught.get(messageId) ?? null }] : [];
  });
};
