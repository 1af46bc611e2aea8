import { createHash } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Logger } from 'pino';

import { sleep } from '#projections/follower/clock.ts';
import { repeatEvery } from '#projections/follower/repeat-every.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import { readDatabaseTime } from '../platform/postgres/database-clock.ts';
import type { ShopDatabase, ShopTables } from '../platform/postgres/shop-tables.ts';
import type { Attach } from './mail.ts';
import { TAKE_BACK_CAUSE, type OrderPage, type Outbox } from './outbox.ts';
import { toMailFailure, type Transport } from './transport.ts';

/** What is known of the person behind an address. */
export type Recipients = {
  /** Returns the account that has proven the address. */
  findOwner(address: string): Promise<string | undefined>;
  /** Counts a mail to an address that nobody has proven. Returns how many ms it has to wait; 0 if it may be sent. */
  countUnproven(address: string): Promise<number>;
};

type Parts = {
  /** By default nobody has proven an address, and no mail has to wait. */
  readonly recipients?: Recipients | undefined;
  readonly db: ShopDatabase;
  readonly outbox: Outbox;
  readonly orderPage: OrderPage;
  readonly transport: Transport;
  /** By default nothing is attached. */
  readonly attach?: Attach | undefined;
  /** Tests set it. By default mails are due by the clock of the database, which all processes share. */
  readonly now?: (() => Date) | undefined;
  readonly log: Logger;
};

/** `AT_ONCE` people get mails at the same time, and `MORE` is the number of further mails to each; the rows are locked meanwhile. */
const AT_ONCE = 20;
const MORE = 30;
/** The worker looks for mails that other processes have queued. */
const LOOKS_EVERY_MS = 1_000;
/** The pause between two batches is at most this many ms long. */
const LONGEST_REST = 500;
/** Above this utilisation of the event loop requests would wait for mails, which may be seconds late. */
const BUSY_SHARE = 0.8;
/** A mail is retried after 5, 10, 20 … seconds, at most an hour; in all for about four and a half hours. */
const BACK_OFF = { first: 5_000, most: 3_600_000, attempts: 14 };

const waitAfter = (attempts: number): number => Math.min(BACK_OFF.first * 2 ** (attempts - 1), BACK_OFF.most) * (0.75 + Math.random() / 2);

/** A mail waits at most this many ms for its attachment, and asks for it so often. */
const ATTACHMENT = { within: 10_000, every: 1_000 };

type Waiting = { id: string; cause: string; content: Buffer | null; recipient: Buffer | null; attempts: number; created_at: Date };
const COLUMNS = ['id', 'cause', 'content', 'recipient', 'attempts', 'created_at'] as const;

/** Nobody has proven the address any more, but its former owner has to get the link in time, whatever others send there. */
const isUrgent = ({ cause }: Pick<Waiting, 'cause'>): boolean => cause.startsWith(TAKE_BACK_CAUSE);

/**
 * Tests whether a waiting mail is urgent or the first of its person. `limit 1` makes Postgres use `outbox_waiting_for` for each person. With
 * `not exists`, and statistics from a time without waiting mails, it read all waiting mails for each person: 350 ms per batch with 5,000
 * waiting mails.
 */
const isFirst = ({ eb, fn, or, selectFrom }: ExpressionBuilder<ShopTables, 'outbox'>) => {
  const first = selectFrom('outbox as earlier')
    .select('earlier.number')
    .where('earlier.state', '=', 'waiting')
    .whereRef('earlier.recipient', '=', 'outbox.recipient')
    .orderBy('earlier.number')
    .limit(1);
  return or([eb('number', '=', fn.coalesce(first, 'number')), eb('cause', 'like', `${TAKE_BACK_CAUSE}%`)]);
};

/**
 * Locks the first waiting mail of each person if it is due: other senders skip it and all mails behind it. If this process dies, the lock
 * ends immediately.
 */
const claimFirst = (tx: ShopDatabase, now: Date): Promise<Waiting[]> =>
  tx
    .selectFrom('outbox')
    .select(COLUMNS)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .where(isFirst)
    .orderBy('next_attempt_at')
    .orderBy('number')
    .limit(AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute();

/** Claims further mails in order. While the first are locked no other sender takes them; only an erasure may delete them. */
const claimNext = async (tx: ShopDatabase, first: readonly Waiting[]): Promise<Waiting[]> => {
  const recipients = first.flatMap((mail) => (isUrgent(mail) ? [] : (mail.recipient ?? [])));
  if (recipients.length === 0) return [];
  return tx
    .selectFrom('outbox')
    .select(COLUMNS)
    .where('state', '=', 'waiting')
    .where('recipient', '=', anyOf(recipients))
    .where(({ eb, not }) => not(eb('id', '=', anyOf(first.map(({ id }) => id)))))
    .orderBy('number')
    .limit(MORE)
    .forUpdate()
    .skipLocked()
    .execute();
};

/** Claims mails grouped by recipient, each group in queue order. */
const claim = async (tx: ShopDatabase, now: Date): Promise<readonly (readonly Waiting[])[]> => {
  const first = await claimFirst(tx, now);
  const next = await claimNext(tx, first);
  const isBehind = (mail: Waiting, { recipient }: Waiting) => !isUrgent(mail) && recipient && mail.recipient?.equals(recipient);
  return first.map((mail) => [mail, ...next.filter((each) => isBehind(mail, each))]);
};

/** Derives the id from the cause instead of the row: a mail missing from an older backup of the outbox is sent again with the same id. */
export const createMessageId = (cause: string): string => createHash('sha256').update(cause).digest('hex').slice(0, 32);

const STRANGERS: Recipients = { findOwner: () => Promise.resolve(undefined), countUnproven: () => Promise.resolve(0) };

/** A mail that is held was not tried. */
type Outcome =
  | 'sent'
  | { readonly heldUntil: Date }
  | { readonly state: 'waiting' | 'parked'; readonly last_error: string; readonly next_attempt_at: Date };
type Delivered = { readonly mail: Waiting; readonly outcome: Outcome };

/** Delivers a mail and returns the new state of its row. */
const deliver = async (
  { outbox, orderPage, transport, attach, log, recipients = STRANGERS }: Parts,
  { id, cause, content, attempts: before, created_at }: Waiting,
  now: Date,
): Promise<Outcome> => {
  try {
    if (!content) throw new Error('The mail has no content');
    const { to, shopper, document, compose } = outbox.open(cause, content);
    const mayWait = now.getTime() < created_at.getTime() + ATTACHMENT.within;
    const attachment = document && (await attach?.(document, mayWait));
    if (attachment === 'not yet') return { heldUntil: new Date(now.getTime() + ATTACHMENT.every) };
    const owner = await recipients.findOwner(to);
    const wait = owner === undefined && !isUrgent({ cause }) ? await recipients.countUnproven(to) : 0;
    if (wait > 0) return { heldUntil: new Date(now.getTime() + wait) };
    const mail = compose({ isShopper: owner !== undefined && owner === shopper }, orderPage, attachment);
    await transport.send(mail, createMessageId(cause));
    return 'sent';
  } catch (error) {
    const attempts = before + 1;
    const { isFinal, reason } = toMailFailure(error);
    const isParked = isFinal || attempts >= BACK_OFF.attempts;
    log[isParked ? 'error' : 'warn']({ mail: id, attempts, reason }, isParked ? 'A mail is parked' : 'A mail could not be sent yet');
    // For a parked mail, this is the time at which the shop gave it up.
    const next_attempt_at = new Date(now.getTime() + (isParked ? 0 : waitAfter(attempts)));
    return { state: isParked ? 'parked' : 'waiting', last_error: reason, next_attempt_at };
  }
};

const deliverInOrder = async (parts: Parts, mails: readonly Waiting[], now: Date): Promise<readonly Delivered[]> => {
  const delivered: Delivered[] = [];
  for (const mail of mails) {
    const outcome = await deliver(parts, mail, now);
    delivered.push({ mail, outcome });
    if (outcome !== 'sent') break;
  }
  return delivered;
};

const note = async (tx: ShopDatabase, delivered: readonly Delivered[], sent_at: Date): Promise<void> => {
  const sent = delivered.filter(({ outcome }) => outcome === 'sent').map(({ mail }) => mail.id);
  const attempts = ({ eb }: ExpressionBuilder<ShopTables, 'outbox'>) => eb('attempts', '+', 1);
  if (sent.length > 0) {
    const isSent = { state: 'sent' as const, content: null, recipient: null, attempts, sent_at, last_error: null };
    await tx.updateTable('outbox').set(isSent).where('id', '=', anyOf(sent)).execute();
  }
  for (const { mail, outcome } of delivered)
    if (outcome !== 'sent') {
      const change = 'heldUntil' in outcome ? { next_attempt_at: outcome.heldUntil } : { ...outcome, attempts };
      await tx.updateTable('outbox').set(change).where('id', '=', mail.id).execute();
    }
};

/**
 * Sends to a few people concurrently and to each in order. Returns the number of mails that it sent, tried or held. A row is locked until
 * its mail is recorded as sent; the lock of a killed sender ends immediately. A sender killed between the mail server's acceptance and the
 * commit causes a duplicate with the same Message-ID, by which mail servers and the embedded catcher recognise it.
 */
export const sendDue = (parts: Parts): Promise<number> =>
  parts.db.transaction().execute(async (tx) => {
    const now = parts.now?.() ?? (await readDatabaseTime(tx));
    const claimed = await claim(tx, now);
    const delivered = (await Promise.all(claimed.map((mails) => deliverInOrder(parts, mails, now)))).flat();
    await note(tx, delivered, now);
    return delivered.length;
  });

/** Pauses for as long as it worked, and longer while the process is busy. */
const rest = async (worked: number, signal: AbortSignal): Promise<void> => {
  const aWhile = Math.min(worked, LONGEST_REST);
  let share = 1;
  for (let rested = 0; rested < LONGEST_REST && share > BUSY_SHARE && !signal.aborted; rested += aWhile) {
    const before = performance.eventLoopUtilization();
    await sleep(aWhile, signal);
    share = performance.eventLoopUtilization(before).utilization;
  }
};

/**
 * Sends mails until the signal is aborted. Survives outages of database and mail server. Any number of processes may run it. Yields to
 * requests of its process.
 */
export const runSender = (parts: Parts, signal: AbortSignal): Promise<void> => {
  const sendAll = async (): Promise<void> => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      if ((await sendDue(parts)) === 0) return;
      await rest(performance.now() - startedAt, signal);
    }
  };
  const onError = (error: unknown) => parts.log.error({ err: error }, 'The outbox could not be processed');
  return repeatEvery(LOOKS_EVERY_MS, sendAll, { signal, onError, wake: parts.outbox.signal });
};

/** Parked mails need an operator. */
export const outboxFigures = async (db: ShopDatabase): Promise<{ waiting: number; parked: number; waitingSince: Date | undefined }> => {
  const rows = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['state', fn.countAll<string>().as('count'), fn.min('created_at').as('since')])
    .where('state', 'in', ['waiting', 'parked'])
    .groupBy('state')
    .execute();
  const of = (state: string) => rows.find((row) => row.state === state);
  return { waiting: Number(of('waiting')?.count ?? 0), parked: Number(of('parked')?.count ?? 0), waitingSince: of('waiting')?.since };
};

/**
 * Returns for how many seconds the oldest mail that a sender could send has been due, and 0 without one. A sender that hangs has not
 * recorded its mails, so they stay due.
 */
export const oldestDueFor = async (db: ShopDatabase): Promise<number> => {
  const oldest = await db
    .selectFrom('outbox')
    .select(sql<number>`extract(epoch from clock_timestamp() - next_attempt_at)::float8`.as('seconds'))
    .where('state', '=', 'waiting')
    .where(isFirst)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return Math.max(0, oldest?.seconds ?? 0);
};
