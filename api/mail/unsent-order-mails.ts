import { sql } from 'kysely';

import type { OrderId } from '#domain/shared/ids.ts';
import type { PersonalText } from '#domain/shared/text.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { Outbox } from './outbox.ts';

/** A mail about an order that the shop has given up. `at` is in ISO 8601, UTC. */
export type MailProblem = { readonly to: string; readonly reason: string; readonly at: string };

type Parts = { readonly db: ShopDatabase; readonly outbox: Pick<Outbox, 'open' | 'readdress' | 'wake'>; readonly now: () => Date };

/** The cause of a mail about an order is `<kind>:<order id>`, or begins like that. */
const ORDER = sql<OrderId>`split_part(cause, ':', 2)`;

/** `failure` is as `toMailFailure` describes it, such as `EENVELOPE 550`. */
const explain = (failure: string): string => {
  if (failure.startsWith('EENVELOPE')) return `The mail server refused the address (${failure})`;
  if (failure.startsWith('EMESSAGE')) return `The mail server refused the mail (${failure})`;
  return `The mail server could not be reached for hours (${failure})`;
};

export const unsentOrderMails = ({ db, outbox, now }: Parts) => ({
  /** Returns whether any mail was given up, so that most lists of orders need no further query. */
  isAnyGivenUp: async (): Promise<boolean> =>
    (await db.selectFrom('outbox').select('id').where('state', '=', 'parked').limit(1).executeTakeFirst()) !== undefined,
  /** Returns the newest mail of each order that was given up. */
  findProblems: async (ids: readonly OrderId[]): Promise<ReadonlyMap<OrderId, MailProblem>> => {
    const rows = await db
      .selectFrom('outbox')
      .select(['cause', 'content', 'last_error', 'next_attempt_at', ORDER.as('order')])
      .where('state', '=', 'parked')
      .where(ORDER, '=', anyOf(ids))
      .orderBy('next_attempt_at')
      .execute();
    return new Map(
      rows.flatMap(({ cause, content, last_error, next_attempt_at, order }) => {
        if (!content) return [];
        const { to } = outbox.open(cause, content);
        return [[order, { to, reason: explain(last_error ?? ''), at: next_attempt_at.toISOString() }] as const];
      }),
    );
  },
  /**
   * Sends the mails about the order that were given up, and those that still wait, to this address. Waits for a mail that is being sent.
   * Idempotent.
   */
  sendAgain: async (id: OrderId, to: PersonalText): Promise<void> => {
    await db.transaction().execute(async (tx) => {
      const unsent = await tx
        .selectFrom('outbox')
        .select(['id', 'cause', 'content'])
        // Each state has an index of its own.
        .where((row) => row.or([row('state', '=', 'parked'), row('state', '=', 'waiting')]))
        .where(ORDER, '=', id)
        .forUpdate()
        .execute();
      const again = { state: 'waiting', attempts: 0, next_attempt_at: now(), last_error: null } as const;
      for (const { id: mail, cause, content } of unsent)
        if (content) {
          const readdressed = { ...outbox.readdress(cause, content, to), ...again };
          await tx.updateTable('outbox').set(readdressed).where('id', '=', mail).execute();
        }
    });
    outbox.wake();
  },
});

export type UnsentOrderMails = Readonly<ReturnType<typeof unsentOrderMails>>;
