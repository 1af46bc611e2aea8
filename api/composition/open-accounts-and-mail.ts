import type { Logger } from 'pino';

import { inBackground, repeatEvery } from '#projections/follower/repeat-every.ts';

import type { HashingCost } from '../accounts/passwords/password-hashing.ts';
import type { FirstAccount } from '../accounts/first-accounts.ts';
import { deriveKeys } from '../accounts/derived-keys.ts';
import { createAddresses } from '../accounts/addresses/addresses.ts';
import { openAccounts } from '../accounts/open-accounts.ts';
import { adminPassword } from './admin-password.ts';
import { createCachedCounts } from '../admin/counts.ts';
import type { Config } from '../config.ts';
import { idempotency } from '../accounts/idempotency/idempotency.ts';
import { answerCache } from '../accounts/idempotency/answer-cache.ts';
import type { OnSignedIn } from '../accounts/sessions/session.ts';
import { readOrCreateSecret } from '../platform/data-dir.ts';
import { Resources } from '../platform/resources.ts';
import { createProofLinks } from '../tax-documents/proof-links.ts';
import { invoiceAttachment } from '../tax-documents/read-tax-documents.ts';
import { createReceipts } from '../transparency/receipts.ts';
import { treeReading } from '../transparency/tree-rows.ts';
import type { Attach } from '../mail/mail.ts';
import { openMail } from '../mail/open-mail.ts';
import type { Recipients } from '../mail/sender.ts';
import { emailAddress } from '../platform/email-address.ts';
import { createOrderLinks } from '../orders/order-links.ts';
import { receiptAttachment } from '../orders/receipt-routes.ts';
import { outbox as outboxWith } from '../mail/outbox.ts';
import { unsentOrderMails } from '../mail/unsent-order-mails.ts';
import type { Shop } from '../shop.ts';
import { createNewsletter } from '../newsletter/newsletter.ts';
import { createRestockNotices } from '../restock-notices/restock-notices.ts';

export type AccountsAndMailConfig = Pick<
  Config,
  | 'admin'
  | 'auditor'
  | 'databaseUrl'
  | 'dataDir'
  | 'eventStoreUrl'
  | 'google'
  | 'rateLimitFactor'
  | 'sessionSecret'
  | 'smtpUrl'
  | 'witnessPolicy'
> & {
  /** Default: that of `passwordHashing`. */
  readonly hashingCost?: HashingCost;
};

type Place = { readonly publicUrl: string; readonly onSignedIn: OnSignedIn };

const SWEPT_EVERY_MS = 3_600_000;

const firstAccounts = async (config: AccountsAndMailConfig): Promise<FirstAccount[]> => {
  const { admin, auditor } = config;
  const password = await adminPassword(config);
  return [
    ...(admin && password !== undefined ? [{ email: admin.email, password, right: 'admin' as const }] : []),
    ...(auditor?.password === undefined ? [] : [{ email: auditor.email, password: auditor.password, right: 'auditor' as const }]),
  ];
};

/** Returns keys that are the same in every process of the shop. */
export const deriveAccountKeys = async ({ sessionSecret, dataDir }: Pick<Config, 'sessionSecret' | 'dataDir'>) =>
  deriveKeys(sessionSecret ?? (await readOrCreateSecret(dataDir, 'session-secret')));

const mailRecipients = ({ deps: { accountOf }, limits }: Awaited<ReturnType<typeof openAccounts>>): Recipients => ({
  findOwner: async (to) => {
    const address = emailAddress(to);
    const account = address && (await accountOf(address));
    return account?.isVerified ? account.user.id : undefined;
  },
  countUnproven: (address) => limits.spendOrWait('mails to an unproven address', emailAddress(address) ?? address),
});

/** Also makes the accounts that the environment names, and starts sending the mails in the outbox. */
export const openAccountsAndMail = async (
  {
    db,
    pool,
    sealed,
    now: instantNow,
    tracing,
    store,
    read,
    execute,
    load,
  }: Pick<Shop, 'db' | 'pool' | 'sealed' | 'now' | 'tracing' | 'store' | 'read' | 'execute' | 'load'>,
  config: AccountsAndMailConfig,
  { publicUrl, onSignedIn }: Place,
  log: Logger,
) => {
  const opened = new Resources();
  const now = (): Date => new Date(instantNow());
  try {
    const keys = await deriveAccountKeys(config);
    const outbox = outboxWith({ key: keys.mail, now, tracing });
    const { google, rateLimitFactor, databaseUrl, smtpUrl, hashingCost } = config;
    const cost = hashingCost && { hashingCost };
    const isEmbedded = databaseUrl === undefined;
    const accounts = opened.with(
      await openAccounts({
        store,
        execute,
        load,
        db,
        pool,
        sealed,
        keys,
        outbox,
        now,
        log,
        publicUrl,
        isEmbedded,
        rateLimitFactor,
        google,
        ...cost,
        onSignedIn,
      }),
      (each) => each.close(),
    );
    await accounts.makeFirst(await firstAccounts(config));
    const recipients = mailRecipients(accounts);
    const links = createOrderLinks({ key: keys.orders, publicUrl, db, now });
    const receipts = createReceipts({ db, trees: treeReading(read.pool), store, log });
    const proofs = createProofLinks({ db, receipts, publicUrl, quorum: config.witnessPolicy.quorum, now: instantNow });
    const [attachInvoice, attachReceipt] = [invoiceAttachment(store, proofs), receiptAttachment(receipts)];
    const attach: Attach = (document, mayWait) =>
      'invoice' in document ? attachInvoice(document.invoice, mayWait) : attachReceipt(document.receipt, mayWait);
    const sending = { db, outbox, orderPage: links.to, now, log, smtpUrl, publicUrl, tracing, recipients, attach };
    const mail = opened.with(await openMail(sending), (each) => each.close());
    opened.with(inBackground(mail.run), (each) => each.close());
    const onError = (error: unknown) => log.warn({ err: error }, 'Expired sessions could not be deleted');
    const sweep = (signal: AbortSignal) =>
      repeatEvery(SWEPT_EVERY_MS, () => accounts.sweep(), { signal, firstAfter: SWEPT_EVERY_MS, onError });
    opened.with(inBackground(sweep), (each) => each.close());
    const { limits } = accounts;
    const counts = createCachedCounts(db);
    const newsletter = createNewsletter({ db, sealed, outbox, now, key: keys.newsletter, publicUrl, onChange: counts.changed });
    const subscribers = { db, sealed, limits, newsletter };
    return {
      accounts,
      addresses: createAddresses({ db, sealed }),
      outbox,
      links,
      receipts,
      proofs,
      mails: unsentOrderMails({ db, outbox, now }),
      subscribers,
      restock: { limits, notices: createRestockNotices({ store, load, db, sealed, outbox, now, key: keys.notices, publicUrl }) },
      contact: { db, sealed, limits, now, onMessage: counts.changed },
      counts,
      /** Runs after the body is parsed: requests that are sent twice under one key are executed once. */
      idempotency: idempotency(answerCache({ db, keys: keys.answers, isLogHere: config.eventStoreUrl === undefined })),
      /** Serves `/dev/mailbox` if mail goes to a catcher in this process. */
      mailbox: mail.mailbox,
      close: opened.close,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
};

export type AccountsAndMail = Readonly<Awaited<ReturnType<typeof openAccountsAndMail>>>;
