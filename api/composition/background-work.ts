import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';

import type { Seller } from '#domain/invoice/events.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { stockQueries } from '#projections/catalogue/stock-queries.ts';
import { taxDocumentQueries } from '#projections/invoices/queries.ts';
import { readModels } from '#projections/read-models.ts';
import { isBuilt } from '#projections/storage/status.ts';
import { inBackground, repeatEvery, type BackgroundWork } from '#projections/follower/repeat-every.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { runProjector } from '#projections/engine/worker.ts';

import type { RestockNotices } from '../restock-notices/restock-notices.ts';
import { readTime } from '../platform/postgres/database-clock.ts';
import { issueTaxDocuments } from '../tax-documents/issue-tax-documents.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import { releaseAbandoned } from '../catalogue/stock/release-abandoned.ts';
import type { Shop } from '../shop.ts';
import { createVisitorUsers } from '../orders/visitor-users.ts';
import type { OpenedPayments } from '../payments/open-payments.ts';
import { rotateWhenDue } from '../event-store/encryption/rotation-due.ts';
import { postgresReactions } from '../reactions/postgres-reaction-storage.ts';
import type { Reaction } from '../reactions/reaction.ts';
import { reactions } from '../reactions/reactions.ts';
import { runReaction } from '../reactions/runner.ts';
import { whenOrderMovesIssueTaxDocuments } from '../tax-documents/when-order-moves-issue-tax-documents.ts';
import { whenEmailCorrectedSendAgain } from '../reactions/when-email-corrected-send-again.ts';
import { whenMessageAnsweredTellWriter } from '../reactions/when-message-answered-tell-writer.ts';
import { whenStaffChangesApplyRights } from '../reactions/when-staff-changes-apply-rights.ts';
import { whenProductReturnsTellWaiting } from '../reactions/when-product-returns-tell-waiting.ts';
import { findTraceparent, tracedFeed } from '../observability/tracing/traced-store.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { followLogTree } from '../transparency/log-tree.ts';
import { SignedLog, type SignedLogDeps } from '../transparency/signed-log.ts';
import { TreeRows } from '../transparency/tree-rows.ts';

export const startProjections = ({ store, read, tracing }: Pick<Shop, 'store' | 'read' | 'tracing'>, log: Logger): BackgroundWork => {
  const feedOf = ({ name }: Projector) => (tracing ? tracedFeed(store, `project ${name}`, tracing) : store);
  return inBackground((signal) => Promise.all(readModels.map((model) => runProjector(model, feedOf(model), read, signal, log))));
};

/** Keeps the tree of the log up to date and signs it. */
export const startLogTree = (
  { store, read, db }: Pick<Shop, 'store' | 'read' | 'db'>,
  signing: Omit<SignedLogDeps, 'db'>,
  log: Logger,
): BackgroundWork => {
  const parts = { store, trees: new TreeRows(read.pool), signed: new SignedLog({ db, ...signing }), log };
  return inBackground((signal) => followLogTree(parts, signal));
};

/** Starts the payment worker, which sends reminders, cancels orders that were not paid in time, and makes refunds. */
export const startPaymentWorker = ({ work }: Pick<OpenedPayments, 'work'>): BackgroundWork => inBackground(work);

/** Releases bottles that were reserved for orders whose placing was interrupted. */
export const startReleasingStock = (shop: Shop, log: Logger): BackgroundWork => {
  const { reserved } = stockQueries(shop.read.db);
  const reservedProducts = async () => ((await isBuilt(catalogue, shop.read)) ? reserved() : []);
  return inBackground((signal) => releaseAbandoned({ ...shop, reservedProducts, log }, signal));
};

const ROTATED_EVERY_MS = 24 * 3_600_000;
/** The rotation of keys does not slow the start down. */
const ROTATED_FIRST_AFTER_MS = 60_000;

/** Replaces the generated key-encryption key after so many days, if keys were erased since it was made. */
export const startRotatingKeys = ({ pool, where }: Pick<Shop, 'pool' | 'where'>, days: number, log: Logger): BackgroundWork => {
  const connectionString = where.databaseUrl;
  if (connectionString === undefined) throw new Error('An open shop has a database');
  const work = () => rotateWhenDue({ pool, connectionString, config: where, days, log });
  const onError = (error: unknown) => log.error({ err: error }, 'The key-encryption key could not be replaced yet');
  return inBackground((signal) => repeatEvery(ROTATED_EVERY_MS, work, { signal, firstAfter: ROTATED_FIRST_AFTER_MS, onError }));
};

type Reacting = {
  readonly outbox: Outbox;
  readonly mails: UnsentOrderMails;
  readonly notices: RestockNotices;
  readonly publicUrl: string;
  readonly seller: Seller;
};

/** Runs within the trace of its event, with its commands and mails. */
const tracedReaction = (reaction: Reaction, tracing: Tracing): Reaction => ({
  ...reaction,
  react: (event) => {
    const parent = findTraceparent(event);
    if (parent === undefined) return reaction.react(event);
    return tracing.span({ name: `react ${reaction.name}`, kind: 'consumer', parent }, async ({ traceparent }) => {
      const mails = await reaction.react(event);
      // The mails are put into the outbox later, after the span has ended.
      return mails.map(({ cause, mail }) => ({ cause, mail: { ...mail, traceparent } }));
    });
  },
});

export const startReactions = (shop: Shop, { outbox, mails, notices, publicUrl, seller }: Reacting, log: Logger): BackgroundWork => {
  const { db } = shop;
  const parts = { storage: postgresReactions(db, outbox), feed: shop.store, log };
  const { tracing } = shop;
  const visitors = createVisitorUsers(db, shop.now);
  const issue = issueTaxDocuments({ ...shop, taxDocuments: taxDocumentQueries(shop.read), seller, readTime: () => readTime(shop) });
  const all = [
    ...reactions({ ...shop, visitors, publicUrl }),
    whenOrderMovesIssueTaxDocuments({ ...shop, issue }),
    whenProductReturnsTellWaiting({ notices }),
    whenEmailCorrectedSendAgain({ ...shop, mails }),
    whenMessageAnsweredTellWriter(shop),
    whenStaffChangesApplyRights(shop),
  ].map((reaction) => (tracing ? tracedReaction(reaction, tracing) : reaction));
  return inBackground((signal) => {
    // Each reaction adds a listener; without this, Node warns of a leak.
    setMaxListeners(0, signal);
    return Promise.all(all.map((reaction) => runReaction(reaction, parts, signal)));
  });
};
