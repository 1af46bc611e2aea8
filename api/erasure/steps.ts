import { StreamIncomplete } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { cartStream } from '#domain/cart/cart.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { paymentStream } from '#domain/payment/payment.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { sleep } from '#projections/follower/clock.ts';
import { reproject } from '#projections/storage/reprojection-queue.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { forgetAnswers } from '../accounts/idempotency/answer-cache.ts';
import { OPEN_FOR } from '../event-store/log-reader.ts';
import { isUnreadable } from '../event-store/codec/codec.ts';
import { CACHED_FOR } from '../event-store/encryption/subject-keys.ts';
import type { Outbox } from '../mail/outbox.ts';
import { createMessageId } from '../mail/sender.ts';
import type { Shop } from '../shop.ts';
import { bySystem } from '../orders/order-payment.ts';
import { supersedeReactions } from '../reactions/postgres-reaction-storage.ts';
import { paymentMailCauses } from '../reactions/when-payment-moves-tell-shopper.ts';
import { orderMailCauses } from '../reactions/when-order-moves-tell-shopper.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { Erasure } from './erasures.ts';
import type { ListFile } from './list-file.ts';
import { findExistingOrders, type TraceParts } from './orders-of-subject.ts';

export type StepParts = TraceParts &
  Pick<Shop, 'keys' | 'sealed' | 'read' | 'execute'> & {
    readonly nowInLog: Shop['now'];
    readonly db: ShopDatabase;
    readonly outbox: Pick<Outbox, 'recipientOf'>;
    readonly file: ListFile;
    readonly announce: () => Promise<void>;
  };

type Step = (parts: StepParts, erasure: Erasure) => Promise<void>;

/** After this many ms no process uses a cached key or a value decrypted with one. It includes a margin for slow clocks. */
const FORGOTTEN_AFTER = (CACHED_FOR + OPEN_FOR) * 1.2;

/**
 * Cancels orders that have not shipped, because nobody could receive them. Their money is refunded as for any cancelled order, and the payment
 * worker closes its pages at the gateway: neither needs personal data.
 */
const cancelUnshipped: Step = async (parts, { subjects }) => {
  for (const id of await findExistingOrders(parts, subjects))
    try {
      await parts.execute(order, orderStream(id), { type: 'CancelErased', now: parts.nowInLog() }, bySystem(`erased-${id}`));
    } catch (error) {
      // The order is encrypted with another key than the one that a backup brought back, its payment was cut in the event store, or one of
      // their events is damaged. The key goes all the same.
      if (!isUnreadable(error) && !(error instanceof StreamIncomplete)) throw error;
    }
};

const keys: Step = async ({ keys }, { subjects, addresses }) => {
  await keys.erase(...subjects, ...addresses);
  await sleep(FORGOTTEN_AFTER);
};

const listOrderStreams = (orders: readonly OrderId[]) => orders.flatMap((id) => [orderStream(id), paymentStream(id)]);

/** Reprojects existing streams only: each takes a transaction, for which others' events wait. */
const readModels: Step = async (parts, { subjects }) => {
  const streams = listOrderStreams(await findExistingOrders(parts, subjects));
  for (const model of [myOrders, ordersDesk]) await reproject(model, streams, parts.store, parts.read);
  // This happens before texts and mails are deleted: a reaction may have made a mail with the address that is not written yet.
  await supersedeReactions(parts.db);
  await parts.db
    .updateTable('postponed_reactions')
    .set({ error: '' })
    .where('stream', '=', anyOf([...streams, ...subjects.map(cartStream)]))
    .execute();
};

const caught = async ({ db, outbox }: StepParts, recipient: Buffer, messageIds: readonly string[]): Promise<void> => {
  const mails = await db.selectFrom('caught_mail').select(['id', 'recipient', 'message_id']).execute();
  const sought = new Set(messageIds);
  const isTheirs = (mail: { recipient: string; message_id: string }): boolean =>
    sought.has(mail.message_id.replace(/^<|@.*$/g, '')) || outbox.recipientOf(parseAddress(mail.recipient)).equals(recipient);
  const ids = mails.filter(isTheirs).map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('caught_mail').where('id', '=', anyOf(ids)).execute();
};

/** Returns the address in `Meera <meera@example.com>` or in the bare form. */
const parseAddress = (recipient: string): string => /<([^<>]*)>$/.exec(recipient)?.[1] ?? recipient;

/** Returns the causes that begin like this, by range on their index: a pattern would read the whole outbox. */
const causesFrom = async (db: ShopDatabase, beginning: string): Promise<readonly string[]> => {
  const rows = await db.selectFrom('outbox').select('cause').where('cause', '>=', beginning).where('cause', '<', `${beginning}~`).execute();
  return rows.map(({ cause }) => cause);
};

/**
 * Deletes mails to the account, and those about its orders to any address. Waits for a mail being sent, whose row is locked. The embedded
 * catcher keeps only a few hundred mails, so all of them are checked.
 */
const mail: Step = async (parts, { subjects, recipient }) => {
  const orders = await findExistingOrders(parts, subjects);
  const aboutPayment = orders.map(paymentMailCauses);
  const causes = [
    ...orders.flatMap((id) => [...orderMailCauses(id).keys()]),
    ...aboutPayment.flatMap(({ paid, reminder }) => [paid, reminder]),
  ];
  for (const { refunded } of aboutPayment) causes.push(...(await causesFrom(parts.db, refunded)));
  // Each state has an index of its own.
  for (const state of ['waiting', 'parked'] as const)
    await parts.db.deleteFrom('outbox').where('state', '=', state).where('recipient', '=', recipient).execute();
  await parts.db.deleteFrom('outbox').where('state', '!=', 'sent').where('cause', '=', anyOf(causes)).execute();
  await caught(parts, recipient, causes.map(createMessageId));
};

/**
 * Deletes what was sent with the account's address. This step precedes the mails: as long as there is a request, a reaction may queue a
 * mail.
 */
const letters: Step = async ({ db }, { addresses }) => {
  for (const table of ['subscribers', 'contact_messages', 'restock_notices'] as const)
    await db.deleteFrom(table).where('subject', '=', anyOf(addresses)).execute();
};

const snapshots: Step = async ({ db }, { subjects }) => {
  await db
    .deleteFrom('cart_snapshots')
    .where('stream', '=', anyOf(subjects.map(cartStream)))
    .execute();
};

/** This step comes late: no process has an older order in its memory any more. */
const answers: Step = async (parts, { subjects }) => forgetAnswers(parts.db, listOrderStreams(await findExistingOrders(parts, subjects)));

/**
 * The steps are idempotent: a process that finds an unfinished erasure starts with the first. The account is deleted last (erase.ts).
 */
export const steps = [
  ['the list outside of the database', ({ file }, erasure) => file.append([erasure])],
  ['orders that have not shipped', cancelUnshipped],
  ['the keys', keys],
  ['what processes remember', ({ announce }) => announce()],
  ['snapshots', snapshots],
  ['read models', readModels],
  ['letters, messages and notices', letters],
  ['mail', mail],
  ['what processes have read meanwhile', ({ announce }) => announce()],
  ['answers to staff', answers],
  // A request that was under way may have placed an order since.
  ['orders placed meanwhile', cancelUnshipped],
] as const satisfies readonly (readonly [string, Step])[];

export type StepName = (typeof steps)[number][0];
