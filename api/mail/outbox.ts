import { createHmac, hkdfSync } from 'node:crypto';
import { type Expression, sql, type SqlBool } from 'kysely';

import type { PersonalText } from '#domain/shared/text.ts';

import { decrypt, encrypt } from '../platform/aes-gcm.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { unnest } from '#projections/storage/prepare.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import type { Attachment, Mail, MailedDocument } from './mail.ts';
import { composeOrderMail, findAttachment, type MailedOrder, type OrderMailInput, type Recipient } from './templates/order-mails.ts';

/**
 * An order mail has six kilobytes, and the order from which it is composed has one. Composing mails in the request would delay shoppers
 * under load, so the order is stored and the mail is composed later.
 */
export type Draft = Mail | OrderMailInput;

/** A cause is a text such as `order-placed:<order id>`. */
export type CausedMail = { readonly cause: string; readonly mail: Draft };

/** `shopper` is set if it is about an order; whether that shopper has proven the address decides what is in it. */
export type OpenedMail = {
  readonly to: string;
  readonly shopper: string | undefined;
  /** It is to be attached. */
  readonly document: MailedDocument | undefined;
  compose(recipient: Recipient, orderPage: OrderPage, attachment?: Attachment): Mail;
};

/** Causes of mails that let the owner take an account back begin like this. */
export const TAKE_BACK_CAUSE = 'email-changed:';

/** Returns the link that opens the order in every browser. */
export type OrderPage = (order: MailedOrder) => string;

const ROW = { cause: 'text', content: 'bytea', recipient: 'bytea', next_attempt_at: 'timestamptz' } as const;
const COLUMNS = ['cause', 'content', 'recipient', 'next_attempt_at', 'created_at'] as const;

/** Inserts mails in this order, if `condition` holds, except those with an existing cause. */
export const insertMails = (db: ShopDatabase, rows: readonly ReturnType<Outbox['row']>[], condition: Expression<SqlBool> = sql.lit(true)) =>
  db
    .insertInto('outbox')
    .columns(COLUMNS)
    .expression(({ selectFrom }) =>
      selectFrom(unnest('mail', rows, ROW))
        .select(['cause', 'content', 'recipient'])
        // A process whose clock is ahead of the database's would delay the mail by as much. Senders compare whole milliseconds.
        .select(sql<Date>`least(next_attempt_at, date_trunc('milliseconds', clock_timestamp()))`.as('next_attempt_at'))
        .select(sql<Date>`clock_timestamp()`.as('created_at'))
        .where(condition)
        .orderBy('place'),
    )
    .onConflict((conflict) => conflict.column('cause').doNothing());

/** Encrypts a mail, bound to its cause, because waiting mails contain codes, links and addresses, and may get into a backup. */
const seal = (key: Buffer, cause: string, mail: Draft): Buffer => encrypt(key, cause, JSON.stringify(mail));

const getAddress = (draft: Draft): string => ('news' in draft ? draft.order.shippingAddress.email : draft.to);

// Only `seal` writes the content, so its type is trusted.
const unseal = (key: Buffer, cause: string, content: Buffer): Draft => JSON.parse(decrypt(key, cause, content).toString()) as Draft;

const open = (key: Buffer, cause: string, content: Buffer): OpenedMail => {
  const draft = unseal(key, cause, content);
  return {
    to: getAddress(draft),
    shopper: 'news' in draft ? draft.order.shopper : undefined,
    document: 'news' in draft ? findAttachment(draft) : undefined,
    compose: (recipient, orderPage, attachment) =>
      'news' in draft ? composeOrderMail({ ...draft, page: orderPage(draft.order), attachment }, recipient) : draft,
  };
};

const withAddress = (draft: Draft, to: PersonalText): Draft => {
  if (!('news' in draft)) return { ...draft, to };
  const { order } = draft;
  return { ...draft, order: { ...order, shippingAddress: { ...order.shippingAddress, email: to } } };
};

const hashRecipient = (key: Buffer, address: string): Buffer => createHmac('sha256', key).update(address.toLowerCase()).digest();

type Parts = {
  readonly key: Buffer;
  readonly now: () => Date;
  readonly tracing?: Pick<Tracing, 'current'> | undefined;
};

export const outbox = ({ key, now, tracing }: Parts) => {
  const signal = new WakeSignal();
  const recipients = Buffer.from(hkdfSync('sha256', key, 'ruhani', 'recipients', 32));
  const row = (cause: string, mail: Draft) => {
    return {
      cause,
      content: seal(key, cause, tracing ? { traceparent: tracing.current(), ...mail } : mail),
      recipient: hashRecipient(recipients, getAddress(mail)),
      state: 'waiting' as const,
      next_attempt_at: now(),
    };
  };
  const putAll = async (tx: ShopDatabase, mails: readonly CausedMail[]): Promise<void> => {
    if (mails.length === 0) return;
    const rows = mails.map(({ cause, mail }) => row(cause, mail));
    await insertMails(tx, rows).execute();
  };
  return {
    /**
     * Queues a mail in the transaction of its cause. Each cause gets one mail for ever. Call `wake` after the commit to send it immediately
     * instead of within a second.
     */
    put: (tx: ShopDatabase, cause: string, mail: Draft) => putAll(tx, [{ cause, mail }]),
    putAll,
    /** Deletes the waiting mails whose causes begin like this, except those that are being sent. */
    withdraw: async (tx: ShopDatabase, beginning: string): Promise<void> => {
      const waiting = tx.selectFrom('outbox').select('id').where('state', '=', 'waiting');
      const theirs = waiting.where('cause', '>=', beginning).where('cause', '<', `${beginning}~`);
      await tx.deleteFrom('outbox').where('id', 'in', theirs.forUpdate().skipLocked()).execute();
    },
    /** Returns the row, for use in a larger statement. */
    row,
    /** Returns a keyed hash, which does not reveal the address. */
    recipientOf: (address: string) => hashRecipient(recipients, address),
    wake: () => signal.notify(),
    signal,
    /** Decrypts a mail. Throws when the content was encrypted with another key, or changed. */
    open: (cause: string, content: Buffer) => open(key, cause, content),
    /** Returns the columns of the same mail to another address. Throws like `open`. */
    readdress: (cause: string, content: Buffer, to: PersonalText) => ({
      content: seal(key, cause, withAddress(unseal(key, cause, content), to)),
      recipient: hashRecipient(recipients, to),
    }),
  };
};

export type Outbox = Readonly<ReturnType<typeof outbox>>;
