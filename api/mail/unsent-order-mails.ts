import { sql, type SqlBool } from 'kysely';

import type { OrderId } from '#domain/shared/ids.ts';
import type { PersonalText } from '#domain/shared/text.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { Outbox } from './outbox.ts';

/**
 * A mail about an order, or with an answer to a message, that the shop has given up. `at` is in ISO 8601, UTC; `to` is null if the mail cannot
 * be read any more.
 */
export type MailProblem = { readonly to: string | null; readonly reason: string; readonly at: string };

type Parts = { readonly db: ShopDatabase; readonly outbox: Pick<Outbox, 'open' | 'readdress' | 'wake'>; readonly now: () => Date };

/** The cause of a mail about an order is `<kind>:<order id>`, or begins like that; that of an answer begins with `<ANSWER_MAIL>:<message id>`. */
const KIND = sql<string>`split_part(cause, ':', 1)`;
const SUBJECT = sql<string>`split_part(cause, ':', 2)`;
export const ANSWER_MAIL = 'message-answered';

/** `failure` is as `toMailFailure` describes it, such as `EENVELOPE 550`. */
const explain = (failure: string): string => {
  if (failure.startsWith('EENVELOPE')) return `The mail server refused the address (${failure})`;
  if (failure.startsWith('EMESSAGE')) return `The mail server refused the mail (${failure})`;
  return `The mail server could not be reached for hours (${failure})`;
};

const UNREADABLE = 'The mail was written under another SESSION_SECRET and cannot be read any more';

/** Returns undefined if the content was encrypted with another key, or changed. */
const whenReadable = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** Returns the newest mail about each of these that was given up. */
const findNewest = async (
  { db, outbox }: Pick<Parts, 'db' | 'outbox'>,
  ids: readonly string[],
  isOfKind = sql<SqlBool>`true`,
): Promise<ReadonlyMap<string, MailProblem>> => {
  const rows = await db
    .selectFrom('outbox')
    .select(['cause', 'content', 'last_error', 'next_attempt_at', SUBJECT.as('subject')])
    .where('state', '=', 'parked')
    .where(SUBJECT, '=', anyOf(ids))
    .where(isOfKind)
    .orderBy('next_attempt_at')
    .execute();
  return new Map(
    rows.flatMap(({ cause, content, last_error, next_attempt_at, subject }) => {
      if (!content) return [];
      const mail = whenReadable(() => outbox.open(cause, content));
      const reason = mail ? explain(last_error ?? '') : UNREADABLE;
      return [[subject, { to: mail?.to ?? null, reason, at: next_attempt_at.toISOString() }] as const];
    }),
  );
};

export const unsentOrderMails = ({ db, outbox, now }: Parts) => ({
  /** Returns whether any mail was given up, so that most lists of orders need no further query. */
  isAnyGivenUp: async (): Promise<boolean> =>
    (await db.selectFrom('outbox').select('id').where('state', '=', 'parked').limit(1).executeTakeFirst()) !== undefined,
  /** Returns the newest mail of each order that was given up. */
  findProblems: (ids: readonly OrderId[]) => findNewest({ db, outbox }, ids),
  /** Returns the newest mail with an answer to each of these messages that was given up. Other mails may have the same ids. */
  findAnswerProblems: (ids: readonly string[]) => findNewest({ db, outbox }, ids, sql`${KIND} = ${ANSWER_MAIL}`),
  /**
   * Sends the mails about the order that were given up, and those that still wait, to this address, but for those that cannot be read any
   * more. Waits for a mail that is being sent. Idempotent.
   */
  sendAgain: async (id: OrderId, to: PersonalText): Promise<void> => {
    await db.transaction().execute(async (tx) => {
      const unsent = await tx
        .selectFrom('outbox')
        .select(['id', 'cause', 'content'])
        // Each state has an index of its own.
        .where((row) => row.or([row('state', '=', 'parked'), row('state', '=', 'waiting')]))
        .where(SUBJECT, '=', id)
        .forUpdate()
        .execute();
      const again = { state: 'waiting', attempts: 0, next_attempt_at: now(), last_error: null } as const;
      for (const { id: mail, cause, content } of unsent) {
        const readdressed = content && whenReadable(() => outbox.readdress(cause, content, to));
        if (readdressed)
          await tx
            .updateTable('outbox')
            .set({ ...readdressed, ...again })
            .where('id', '=', mail)
            .execute();
      }
    });
    outbox.wake();
  },
});

export type UnsentOrderMails = Readonly<ReturnType<typeof unsentOrderMails>>;
