import { createHmac, hkdfSync } from 'node:crypto';
import { type Expression, sql, type SqlBool } from 'kysely';

import { decrypt, encrypt } from '../platform/aes-gcm.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { unnest } from '../platform/postgres/unnest.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import type { Mail } from './mail.ts';
import { composeOrderMail, type OrderMailInput } from './templates/order-mails.ts';

/**
 * An order mail has six kilobytes, the order it is composed from one; composing, encrypting and storing mails at once would delay shoppers
 * under load.
 */
export type Draft = Mail | OrderMailInput;

/** A cause such as `order-placed:<order id>`. */
export type CausedMail = { readonly cause: string; readonly mail: Draft };

export type Outbox = {
  /**
   * In the transaction of its cause. Each cause gets one mail, ever. Call `wake` after the commit to send it at once instead of within a
   * second.
   */
  put(tx: ShopDatabase, cause: string, mail: Draft): Promise<void>;
  putAll(tx: ShopDatabase, mails: readonly CausedMail[]): Promise<void>;
  /** For use in a larger statement. */
  row(cause: string, mail: Draft): OutboxRow;
  /** A keyed hash, which does not reveal the address. */
  recipientOf(address: string): Buffer;
  wake(): void;
  readonly signal: WakeSignal;
  /** Throws when the content was encrypted with another key, or changed. */
  open(cause: string, content: Buffer): Mail;
};

export type OutboxRow = {
  cause: string;
  content: Buffer;
  recipient: Buffer;
  state: 'waiting';
  next_attempt_at: Date;
  created_at: Date;
};

const ROW = { cause: 'text', content: 'bytea', recipient: 'bytea', next_attempt_at: 'timestamptz', created_at: 'timestamptz' } as const;
const COLUMNS = ['cause', 'content', 'recipient', 'next_attempt_at', 'created_at'] as const;

/** In this order, if `condition` holds, except those with an existing cause. */
export const insertMails = (db: ShopDatabase, rows: readonly OutboxRow[], condition: Expression<SqlBool> = sql.lit(true)) =>
  db
    .insertInto('outbox')
    .columns(COLUMNS)
    .expression(({ selectFrom }) =>
      selectFrom(unnest('mail', rows, ROW))
        .select(COLUMNS)
        .where(condition)
        .orderBy('place'),
    )
    .onConflict((conflict) => conflict.column('cause').doNothing());

/** Bound to the cause. Encrypted, since waiting mails contain codes, links and addresses, and may get into a backup. */
const seal = (key: Buffer, cause: string, mail: Draft): Buffer => encrypt(key, cause, JSON.stringify(mail));

// Only `seal` writes it, so its type is trusted.
const open = (key: Buffer, cause: string, content: Buffer): Mail => {
  const draft = JSON.parse(decrypt(key, cause, content).toString()) as Draft;
  return 'news' in draft ? composeOrderMail(draft) : draft;
};

const addressOf = (draft: Draft): string => ('news' in draft ? draft.order.shippingAddress.email : draft.to);

const recipientOf = (key: Buffer, address: string): Buffer => createHmac('sha256', key).update(address.toLowerCase()).digest();

type Parts = {
  readonly key: Buffer;
  readonly now: () => Date;
  readonly tracing?: Pick<Tracing, 'current'> | undefined;
};

export const outbox = ({ key, now, tracing }: Parts): Outbox => {
  const signal = new WakeSignal();
  const recipients = Buffer.from(hkdfSync('sha256', key, 'ruhani', 'recipients', 32));
  const row = (cause: string, mail: Draft): OutboxRow => {
    const at = now();
    return {
      cause,
      content: seal(key, cause, tracing ? { traceparent: tracing.current(), ...mail } : mail),
      recipient: recipientOf(recipients, addressOf(mail)),
      state: 'waiting',
      next_attempt_at: at,
      created_at: at,
    };
  };
  const putAll: Outbox['putAll'] = async (tx, mails) => {
    if (mails.length === 0) return;
    const rows = mails.map(({ cause, mail }) => row(cause, mail));
    await insertMails(tx, rows).execute();
  };
  return {
    put: (tx, cause, mail) => putAll(tx, [{ cause, mail }]),
    putAll,
    row,
    recipientOf: (address) => recipientOf(recipients, address),
    wake: () => signal.give(),
    signal,
    open: (cause, content) => open(key, cause, content),
  };
};
