import { createHash } from 'node:crypto';
import type { Logger } from 'pino';

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

/** Mails under way at once; their rows stay locked meanwhile. */
const AT_ONCE = 10;
/** Without a wake-up from this process it is looked this often whether another one has put something in, in ms. */
const LOOKS_EVERY = 1_000;
/** Tried again after 5, 10, 20 … seconds, after an hour at most; about five hours in all. */
const BACK_OFF = { first: 5_000, most: 3_600_000, attempts: 14 };

const waitAfter = (attempts: number): number => Math.min(BACK_OFF.first * 2 ** (attempts - 1), BACK_OFF.most) * (0.75 + Math.random() / 2);

type Waiting = { id: string; cause: string; content: Buffer | null; attempts: number };

/**
 * The next mails that are due, locked: other senders pass them by, and if this process dies they are free again at once. Of the mails to
 * one person only the first: the next one follows once that is sent or parked, and so arrives after it.
 */
const claim = (tx: ShopDatabase, now: Date): Promise<Waiting[]> =>
  tx
    .selectFrom('outbox')
    .select(['id', 'cause', 'content', 'attempts'])
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox as earlier')
            .select('earlier.id')
            .where('earlier.state', '=', 'waiting')
            .whereRef('earlier.recipient', '=', 'outbox.recipient')
            .whereRef('earlier.number', '<', 'outbox.number'),
        ),
      ),
    )
    .orderBy('next_attempt_at')
    .orderBy('number')
    .limit(AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute();

/** By its cause, not by its row: a mail that an older backup of the outbox does not know of goes out again under the id it had. */
export const messageIdOf = (cause: string): string => createHash('sha256').update(cause).digest('hex').slice(0, 32);

/** Sends one mail; answers with what its row becomes. */
const deliver = async ({ outbox, transport, now, log }: Parts, { id, cause, content, attempts: before }: Waiting) => {
  const attempts = before + 1;
  try {
    if (!content) throw new Error('There is nothing in it');
    await transport.send(outbox.open(cause, content), messageIdOf(cause));
    return { state: 'sent' as const, content: null, recipient: null, attempts, sent_at: now(), last_error: null };
  } catch (error) {
    const { isFinal, reason } = failureOf(error);
    const isParked = isFinal || attempts >= BACK_OFF.attempts;
    log[isParked ? 'error' : 'warn']({ mail: id, attempts, reason }, isParked ? 'A mail is parked' : 'A mail could not be sent yet');
    const state = isParked ? ('parked' as const) : ('waiting' as const);
    return { state, attempts, last_error: reason, next_attempt_at: new Date(now().getTime() + waitAfter(attempts)) };
  }
};

/**
 * Sends what is due, a few mails at once and one a person; answers with how many it took on. A row is locked from before its mail goes
 * out until it is noted as sent, so that no two senders have it, and the lock of one that was killed is gone at once. Killed after the
 * mail server took the mail and before the commit, it will be sent again: SMTP knows no transaction that includes ours. It then has the
 * same Message-ID, by which mail servers and the embedded catcher know a mail that they already have.
 */
export const sendDue = (parts: Parts): Promise<number> =>
  parts.db.transaction().execute(async (tx) => {
    const waiting = await claim(tx, parts.now());
    const outcomes = await Promise.all(waiting.map(async (mail) => ({ mail, outcome: await deliver(parts, mail) })));
    for (const { mail, outcome } of outcomes) await tx.updateTable('outbox').set(outcome).where('id', '=', mail.id).execute();
    return waiting.length;
  });

/** Sends mail until told to stop, whatever happens to database and mail server meanwhile. Any number of processes may do so. */
export const runSender = async (parts: Parts, until: AbortSignal): Promise<void> => {
  while (!until.aborted) {
    const sent = await sendDue(parts).catch((error: unknown) => {
      parts.log.error({ err: error }, 'The outbox could not be worked on');
      return 0;
    });
    if (sent === 0) await parts.outbox.bell.wait(LOOKS_EVERY, until);
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
