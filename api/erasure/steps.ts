import { StreamIncomplete, type StreamName } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { cartStream } from '#domain/cart/cart.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { paymentStream } from '#domain/payment/payment.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { messages } from '#projections/messages/message-answers.ts';
import { messageStream } from '#domain/message/message.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { sleep } from '#projections/follower/clock.ts';
import { reproject } from '#projections/storage/reprojection-queue.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { emailCodeCause } from '../accounts/email-change/email-change.ts';
import { forgetAnswers } from '../accounts/idempotency/answer-cache.ts';
import { OPEN_FOR } from '../event-store/log-reader.ts';
import { isUnreadable } from '../event-store/codec/codec.ts';
import { CACHED_FOR } from '../event-store/encryption/subject-keys.ts';
import { findReviewStreams } from '../reviews/review-ids.ts';
import type { Outbox } from '../mail/outbox.ts';
import { createMessageId } from '../mail/sender.ts';
import type { Shop } from '../shop.ts';
import { orderLinkCause } from '../orders/order-links.ts';
import { bySystem } from '../orders/order-payment.ts';
import { supersedeReactions } from '../reactions/postgres-reaction-storage.ts';
import { orderMailCauses, paymentMailCauses } from '../reactions/order-mail-causes.ts';
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

const listReviewStreams = async (parts: StepParts, subjects: readonly string[]): Promise<readonly StreamName[]> =>
  findReviewStreams(parts, subjects, await findExistingOrders(parts, subjects));

const listMessageStreams = async ({ db }: StepParts, addresses: readonly string[]): Promise<readonly StreamName[]> => {
  const rows = await db.selectFrom('contact_messages').select('id').where('subject', '=', anyOf(addresses)).execute();
  return rows.map(({ id }) => messageStream(id));
};

const listOrderStreams = (orders: readonly OrderId[]) => orders.flatMap((id) => [orderStream(id), paymentStream(id)]);

/** Reprojects existing streams only: each takes a transaction, for which others' events wait. */
const readModels: Step = async (parts, { subjects, addresses }) => {
  const streams = listOrderStreams(await findExistingOrders(parts, subjects));
  for (const model of [myOrders, ordersDesk]) await reproject(model, streams, parts.store, parts.read);
  // Every process loads the whole catalogue again afterwards, so this is done only for those who have written something.
  const reviews = await listReviewStreams(parts, subjects);
  if (reviews.length > 0) await reproject(catalogue, reviews, parts.store, parts.read);
  const answered = await listMessageStreams(parts, addresses);
  if (answered.length > 0) await reproject(messages, answered, parts.store, parts.read);
  // This happens before texts and mails are deleted: a reaction may have made a mail with the address that is not written yet.
  await supersedeReactions(parts.db);
  await parts.db
    .updateTable('postponed_reactions')
    .set({ error: '' })
    .where('stream', '=', anyOf([...streams, ...subjects.map(cartStream)]))
    .execute();
};

const deleteCaught = async ({ db, outbox }: StepParts, recipients: readonly Buffer[], messageIds: readonly string[]): Promise<void> => {
  const mails = await db.selectFrom('caught_mail').select(['id', 'recipient', 'message_id']).execute();
  const sought = new Set(messageIds);
  const isTheirs = (mail: { recipient: string; message_id: string }): boolean => {
    const hash = outbox.recipientOf(parseAddress(mail.recipient));
    return sought.has(mail.message_id.replace(/^<|@.*$/g, '')) || recipients.some((each) => each.equals(hash));
  };
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
 * Deletes mails to these addresses, codes for a new one, and mails about the orders to any address. Waits for a mail being sent, whose row
 * is locked. The embedded catcher keeps only a few hundred mails, so all of them are checked.
 */
const mail: Step = async (parts, { user, subjects, recipients }) => {
  const orders = await findExistingOrders(parts, subjects);
  const causes = [...(await causesFrom(parts.db, emailCodeCause(user)))];
  for (const id of orders) {
    const [{ whole, beginnings }, { paid, reminder, refunded }] = [orderMailCauses(id), paymentMailCauses(id)];
    causes.push(...whole, paid, reminder);
    for (const beginning of [...beginnings, refunded, orderLinkCause(id)]) causes.push(...(await causesFrom(parts.db, beginning)));
  }
  await parts.db.deleteFrom('outbox').where('state', '!=', 'sent').where('cause', '=', anyOf(causes)).execute();
  // Each state has an index of its own.
  for (const state of ['waiting', 'parked'] as const)
    await parts.db.deleteFrom('outbox').where('state', '=', state).where('recipient', '=', anyOf(recipients)).execute();
  await deleteCaught(parts, recipients, causes.map(createMessageId));
};

/**
 * Deletes what was sent with these addresses. This step precedes the mails: as long as there is a request, a reaction may queue a
 * mail. The answers that staff got are forgotten first, while the rows name them.
 */
const letters: Step = async (parts, { addresses }) => {
  const { db } = parts;
  await forgetAnswers(db, await listMessageStreams(parts, addresses));
  for (const table of ['subscribers', 'contact_messages', 'restock_notices', 'staff_invitations'] as const)
    await db.deleteFrom(table).where('subject', '=', anyOf(addresses)).execute();
};

const snapshots: Step = async ({ db }, { subjects }) => {
  await db
    .deleteFrom('cart_snapshots')
    .where('stream', '=', anyOf(subjects.map(cartStream)))
    .execute();
};

/** This step comes late: no process has an older order in its memory any more. */
const answers: Step = async (parts, { subjects }) =>
  forgetAnswers(parts.db, [...listOrderStreams(await findExistingOrders(parts, subjects)), ...(await listReviewStreams(parts, subjects))]);

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
