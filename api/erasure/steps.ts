import { sql } from 'kysely';

import type { OrderId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import { ordersDesk } from '#projections/orders-desk/projector.ts';
import { pause } from '#projections/pause.ts';
import { reproject } from '#projections/reprojection.ts';

import type { EmailAddress } from '../accounts/email-address.ts';
import { cartOf } from '../cart/stream.ts';
import { allContactMessages, eraseContactOf } from '../contact/table.ts';
import { OPEN_FOR } from '../event-store/log-reader.ts';
import { REMEMBERED_FOR } from '../event-store/subject-keys.ts';
import type { Outbox } from '../mail/outbox.ts';
import { messageIdOf } from '../mail/sender.ts';
import type { Shop } from '../open-shop.ts';
import { orderOf } from '../orders/stream.ts';
import { orderMailCauses } from '../reactions/when-order-moves-tell-shopper.ts';
import type { ShopDatabase } from '../shop-tables.ts';
import { allSubscribers, forgetSubscriber } from '../subscribers/table.ts';
import { isOfAccount, type Erasure } from './erasures.ts';
import type { ListFile } from './list-file.ts';
import { ordersOf, type TraceParts } from './traces.ts';

export type StepParts = TraceParts &
  Pick<Shop, 'keys' | 'read'> & {
    readonly db: ShopDatabase;
    readonly outbox: Pick<Outbox, 'recipientOf'>;
    readonly file: ListFile;
    /** Has every process drop what it remembers. */
    readonly announce: () => Promise<void>;
  };

type Step = (parts: StepParts, erasure: Erasure) => Promise<void>;

/** Until no process opens anything with a key that it had remembered, nor has it open; in ms, with a margin for a clock that is slow. */
const FORGOTTEN_AFTER = (REMEMBERED_FOR + OPEN_FOR) * 1.2;

const keys: Step = async ({ keys }, { subjects }) => {
  await keys.erase(...subjects);
  await pause(FORGOTTEN_AFTER);
};

const streamsOf = (orders: readonly OrderId[]) => orders.map(orderOf);

/** Only streams that are there are folded; that an id could be an order's does not make it one. */
const readModels: Step = async (parts, { subjects }) => {
  const streams = streamsOf(await ordersOf(parts, subjects));
  for (const model of [myOrders, ordersDesk]) await reproject(model, streams, parts.store, parts.read);
  await parts.db
    .updateTable('postponed_reactions')
    .set({ error: '' })
    .where(sql<boolean>`stream = any(${[...streams, ...subjects.map(cartOf)]})`)
    .execute();
};

const caught = async ({ db, outbox }: StepParts, recipient: Buffer, messageIds: readonly string[]): Promise<void> => {
  const mails = await db.selectFrom('caught_mail').select(['id', 'recipient', 'message_id']).execute();
  const sought = new Set(messageIds);
  const isTheirs = (mail: { recipient: string; message_id: string }): boolean =>
    sought.has(mail.message_id.replace(/^<|@.*$/g, '')) || outbox.recipientOf(addressIn(mail.recipient)).equals(recipient);
  const ids = mails.filter(isTheirs).map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('caught_mail').where('id', 'in', ids).execute();
};

/** `Meera <meera@example.com>` as well as the bare address. */
const addressIn = (recipient: string): string => /<([^<>]*)>$/.exec(recipient)?.[1] ?? recipient;

/**
 * Mails to the account, and those that told of its orders, wherever these went. One that is being sent is waited for: its row is locked.
 * The embedded catcher keeps the newest few hundred, so all of them are looked at.
 */
const mail: Step = async (parts, { subjects, recipient }) => {
  const causes = (await ordersOf(parts, subjects)).flatMap((id) => [...orderMailCauses(id).keys()]);
  await parts.db
    .deleteFrom('outbox')
    .where('state', '!=', 'sent')
    .where(({ eb, or }) => or([eb('recipient', '=', recipient), sql<boolean>`cause = any(${causes})`]))
    .execute();
  await caught(parts, recipient, causes.map(messageIdOf));
};

/** The account's address: of the account, or, where a backup without it came back, of whoever wrote to us from it. */
const addressOf = async ({ db, outbox }: StepParts, erasure: Erasure): Promise<EmailAddress | undefined> => {
  if (!isOfAccount(erasure)) return undefined;
  const { user, recipient } = erasure;
  const account = await db.selectFrom('users').select('email').where('id', '=', user).executeTakeFirst();
  // Normalised when it was kept.
  if (account) return account.email as EmailAddress;
  for (const pages of [allSubscribers(db), allContactMessages(db)])
    for await (const page of pages)
      for (const { email } of page) if (outbox.recipientOf(email).equals(recipient)) return email as EmailAddress;
  return undefined;
};

const letters: Step = async (parts, erasure) => {
  const email = await addressOf(parts, erasure);
  if (email === undefined) return;
  await forgetSubscriber(parts.db, email);
  await eraseContactOf(parts.db, email);
};

const snapshots: Step = async ({ db }, { subjects }) => {
  await db.deleteFrom('cart_snapshots').where('stream', 'in', subjects.map(cartOf)).execute();
};

/**
 * In this order, and each may be done any number of times: whoever finds an erasure unfinished begins with the first. The account itself
 * goes last (erase.ts), since its address leads to the mails and letters.
 */
export const steps = [
  ['the list outside of the database', ({ file }, erasure) => file.append([erasure])],
  ['the keys', keys],
  ['what processes remember', ({ announce }) => announce()],
  ['snapshots', snapshots],
  ['read models', readModels],
  ['mail', mail],
  ['letters and messages', letters],
  ['what processes have read meanwhile', ({ announce }) => announce()],
] as const satisfies readonly (readonly [string, Step])[];

export type StepName = (typeof steps)[number][0];
