import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';

import { pause } from '#projections/pause.ts';

import type { ShopDatabase } from '../shop-tables.ts';
import type { Outbox } from './outbox.ts';
import { failureOf, type Transport } from './transport.ts';

type Parts = {
  readonly db: ShopDatabase;
  readonly outbox: Outbox;
  readonly transport: Transport;
  readonly now: () => Date;
  readonly log: Logger;
};

/** People to whom mails go out at once, and how many more mails go to them after the first; the rows stay locked meanwhile. */
const AT_ONCE = 20;
const MORE = 30;
/** Without a wake-up from this process it is looked this often whether another one has put something in, in ms. */
const LOOKS_EVERY = 1_000;
/** The longest rest between two batches, in ms. */
const LONGEST_REST = 500;
/** From this share of its time at work on, a process is busy: who is ordering waits for it, and a mail can be late by seconds. */
const BUSY = 0.8;
/** Tried again after 5, 10, 20 … seconds, after an hour at most; about five hours in all. */
const BACK_OFF = { first: 5_000, most: 3_600_000, attempts: 14 };

const waitAfter = (attempts: number): number => Math.min(BACK_OFF.first * 2 ** (attempts - 1), BACK_OFF.most) * (0.75 + Math.random() / 2);

type Waiting = { id: string; cause: string; content: Buffer | null; recipient: Buffer | null; attempts: number };
const COLUMNS = ['id', 'cause', 'content', 'recipient', 'attempts'] as const;

/**
 * Of each person the first mail that waits, where it is due, locked: other senders pass it by and with it all that the person gets, and if
 * this process dies it is free again at once. `limit 1` has Postgres look each person up in `outbox_waiting_for`. Asked with `not exists`, it
 * read all waiting mails for each of them as long as its statistics were from a time without any: 350 ms a batch at 5,000 waiting mails.
 */
const claimFirst = (tx: ShopDatabase, now: Date): Promise<Waiting[]> =>
  tx
    .selectFrom('outbox')
    .select(COLUMNS)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .where(({ eb, fn, selectFrom }) => {
      const first = selectFrom('outbox as earlier')
        .select('earlier.number')
        .where('earlier.state', '=', 'waiting')
        .whereRef('earlier.recipient', '=', 'outbox.recipient')
        .orderBy('earlier.number')
        .limit(1);
      return eb('number', '=', fn.coalesce(first, 'number'));
    })
    .orderBy('next_attempt_at')
    .orderBy('number')
    .limit(AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute();

/** What waits behind these, in its order. It is nobody else's as long as these are locked, but for who deletes what is not to be sent. */
const claimNext = async (tx: ShopDatabase, first: readonly Waiting[]): Promise<Waiting[]> => {
  const recipients = first.flatMap(({ recipient }) => recipient ?? []);
  if (recipients.length === 0) return [];
  return tx
    .selectFrom('outbox')
    .select(COLUMNS)
    .where('state', '=', 'waiting')
    .where('recipient', 'in', recipients)
    .where(
      'id',
      'not in',
      first.map(({ id }) => id),
    )
    .orderBy('number')
    .limit(MORE)
    .forUpdate()
    .skipLocked()
    .execute();
};

/** The next mails that are due, by whom they go to: one person's one after the other, in the order in which they were put. */
const claim = async (tx: ShopDatabase, now: Date): Promise<readonly (readonly Waiting[])[]> => {
  const first = await claimFirst(tx, now);
  const next = await claimNext(tx, first);
  return first.map((mail) => [mail, ...next.filter(({ recipient }) => recipient && mail.recipient?.equals(recipient))]);
};

/** By its cause, not by its row: a mail that an older backup of the outbox does not know of goes out again under the id it had. */
export const messageIdOf = (cause: string): string => createHash('sha256').update(cause).digest('hex').slice(0, 32);

type Outcome = 'sent' | { readonly state: 'waiting' | 'parked'; readonly last_error: string; readonly next_attempt_at: Date };
type Delivered = { readonly mail: Waiting; readonly outcome: Outcome };

/** Sends one mail; answers with what becomes of its row. */
const deliver = async ({ outbox, transport, now, log }: Parts, { id, cause, content, attempts: before }: Waiting): Promise<Outcome> => {
  try {
    if (!content) throw new Error('There is nothing in it');
    await transport.send(outbox.open(cause, content), messageIdOf(cause));
    return 'sent';
  } catch (error) {
    const attempts = before + 1;
    const { isFinal, reason } = failureOf(error);
    const isParked = isFinal || attempts >= BACK_OFF.attempts;
    log[isParked ? 'error' : 'warn']({ mail: id, attempts, reason }, isParked ? 'A mail is parked' : 'A mail could not be sent yet');
    const next_attempt_at = new Date(now().getTime() + waitAfter(attempts));
    return { state: isParked ? 'parked' : 'waiting', last_error: reason, next_attempt_at };
  }
};

/** Sends one person's mails, up to the first that does not go out. */
const deliverInOrder = async (parts: Parts, mails: readonly Waiting[]): Promise<readonly Delivered[]> => {
  const delivered: Delivered[] = [];
  for (const mail of mails) {
    const outcome = await deliver(parts, mail);
    delivered.push({ mail, outcome });
    if (outcome !== 'sent') break;
  }
  return delivered;
};

const note = async (tx: ShopDatabase, delivered: readonly Delivered[], sent_at: Date): Promise<void> => {
  const sent = delivered.filter(({ outcome }) => outcome === 'sent').map(({ mail }) => mail.id);
  const attempts = sql<number>`attempts + 1`;
  if (sent.length > 0) {
    const isSent = { state: 'sent' as const, content: null, recipient: null, attempts, sent_at, last_error: null };
    await tx.updateTable('outbox').set(isSent).where('id', 'in', sent).execute();
  }
  for (const { mail, outcome } of delivered)
    if (outcome !== 'sent')
      await tx
        .updateTable('outbox')
        .set({ ...outcome, attempts })
        .where('id', '=', mail.id)
        .execute();
};

/**
 * Sends what is due, to a few people at once and to each in order; answers with how many mails it took on. A row is locked from before its
 * mail goes out until it is noted as sent, so that no two senders have it, and the lock of one that was killed is gone at once. Killed
 * after the mail server took the mail and before the commit, it will be sent again: SMTP knows no transaction that includes ours. It then
 * has the same Message-ID, by which mail servers and the embedded catcher know a mail that they already have.
 */
export const sendDue = (parts: Parts): Promise<number> =>
  parts.db.transaction().execute(async (tx) => {
    const claimed = await claim(tx, parts.now());
    const delivered = (await Promise.all(claimed.map((mails) => deliverInOrder(parts, mails)))).flat();
    await note(tx, delivered, parts.now());
    return delivered.length;
  });

/** Rests for as long as it was at work, and on while the process is busy with other things. */
const rest = async (worked: number, until: AbortSignal): Promise<void> => {
  const aWhile = Math.min(worked, LONGEST_REST);
  let share = 1;
  for (let rested = 0; rested < LONGEST_REST && share > BUSY && !until.aborted; rested += aWhile) {
    const before = performance.eventLoopUtilization();
    await pause(aWhile, until);
    share = performance.eventLoopUtilization(before).utilization;
  }
};

/**
 * Sends mail until told to stop, whatever happens to database and mail server meanwhile. Any number of processes may do so. In a rush it
 * gives way to whoever orders in the same process.
 */
export const runSender = async (parts: Parts, until: AbortSignal): Promise<void> => {
  while (!until.aborted) {
    const began = performance.now();
    const sent = await sendDue(parts).catch((error: unknown) => {
      parts.log.error({ err: error }, 'The outbox could not be worked on');
      return 0;
    });
    if (sent === 0) await parts.outbox.bell.wait(LOOKS_EVERY, until);
    else await rest(performance.now() - began, until);
  }
};

/** For health and figures: what waits, since when, and what is parked until somebody looks at it. */
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
