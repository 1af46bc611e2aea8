import { createHmac, timingSafeEqual } from 'node:crypto';

import type { ExistingOrder } from '#domain/order/rules.ts';
import { isOrderId, uuidFrom, type OrderId } from '#domain/shared/ids.ts';
import { pages } from '#domain/site/pages.ts';

import { tokenHash } from '../accounts/sessions/tokens.ts';
import type { MailedOrder } from '../mail/templates/order-mails.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

const GOOD_FOR_MS = 180 * 24 * 3_600_000;

/** The causes of the mails that bring the link on request begin with this. */
export const orderLinkCause = (id: OrderId): string => `order-link:${id}:`;

/** Names an order and the second at which the link ends. Only with the order's address it can be told whether the shop made it. */
type Named = { readonly id: OrderId; readonly until: number };
export type OrderLink = Named & { readonly token: string };

type Addressed = Pick<ExistingOrder, 'shippingAddress'>;

/** Order id (16 bytes), end (4 bytes) and signature (16 bytes): 48 characters without slack, so that no other text has the same bytes. */
const TOKEN = /^[\w-]{48}$/;
const [ID, UNTIL] = [16, 4];

const readToken = (token: string): OrderLink | undefined => {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const id = uuidFrom(bytes.toString('hex', 0, ID));
  return isOrderId(id) ? { id, until: bytes.readUInt32BE(ID), token } : undefined;
};

type Parts = { readonly key: Buffer; readonly publicUrl: string; readonly db: ShopDatabase; readonly now: () => Date };

/**
 * The links by which the mails of an order open it in every browser, for 180 days. The signature covers the order's e-mail address: with
 * its erasure or correction all links that were mailed before end, and so does what they opened. A new SESSION_SECRET ends them too.
 */
export const createOrderLinks = ({ key, publicUrl, db, now }: Parts) => {
  const sign = ({ id, until }: Named, { shippingAddress: { email } }: Addressed): string => {
    const named = Buffer.alloc(ID + UNTIL);
    named.write(id.replaceAll('-', ''), 'hex');
    named.writeUInt32BE(until, ID);
    const signature = createHmac('sha256', key).update(named).update(email).digest().subarray(0, 16);
    return Buffer.concat([named, signature]).toString('base64url');
  };
  const isOver = (until: number): boolean => until * 1_000 <= now().getTime();
  return {
    /** Returns the link for a mail to the order's address. */
    to: (order: MailedOrder): string => {
      const until = Math.floor((now().getTime() + GOOD_FOR_MS) / 1_000);
      return publicUrl + pages.openOrder.replace(':token', sign({ id: order.id, until }, order));
    },
    /** Returns what a token names, which `isGenuine` has to confirm; undefined if it has not the form of one. */
    read: readToken,
    isGenuine: ({ token, ...named }: OrderLink, order: Addressed): boolean =>
      timingSafeEqual(Buffer.from(token), Buffer.from(sign(named, order))) && !isOver(named.until),
    /** Opens the order in the session. */
    open: async (session: string, { id: order_id, until, token }: OrderLink): Promise<void> => {
      const row = { until: new Date(until * 1_000), token_hash: tokenHash(token) };
      await db
        .insertInto('opened_orders')
        .values({ session: Buffer.from(session, 'hex'), order_id, ...row })
        .onConflict((conflict) => conflict.columns(['session', 'order_id']).doUpdateSet(row))
        .execute();
    },
    /** Returns whether the session opened the order by a link that is still good. */
    isOpen: async (session: string, id: OrderId, order: Addressed): Promise<boolean> => {
      const opened = await db
        .selectFrom('opened_orders')
        .select(['until', 'token_hash'])
        .where('session', '=', Buffer.from(session, 'hex'))
        .where('order_id', '=', id)
        .executeTakeFirst();
      if (!opened) return false;
      const until = opened.until.getTime() / 1_000;
      return !isOver(until) && tokenHash(sign({ id, until }, order)).equals(opened.token_hash);
    },
  };
};

export type OrderLinks = Readonly<ReturnType<typeof createOrderLinks>>;
