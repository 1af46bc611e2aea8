import { sql } from 'kysely';

import type { ShopDatabase } from '../shop-tables.ts';

/** In place of an account's address, where visitors are erased, who have none. */
export const NO_ACCOUNT: Buffer = Buffer.alloc(0);

/** Whose data go. Names nobody: ids, and a keyed hash of the account's address. */
export type Erasure = {
  /** The user; or a visitor, or a random UUID for several of them. */
  readonly user: string;
  /** The user and the visitors that they had been: under these names their keys stand. */
  readonly subjects: readonly string[];
  /** As the outbox knows mail to the address (`Outbox.recipientOf`), or `NO_ACCOUNT`. */
  readonly recipient: Buffer;
  readonly askedAt: Date;
};

type Row = { user_id: string; subjects: string[]; recipient: Buffer; asked_at: Date };

const erasureFrom = ({ user_id: user, subjects, recipient, asked_at: askedAt }: Row): Erasure => ({ user, subjects, recipient, askedAt });

const COLUMNS = ['user_id', 'subjects', 'recipient', 'asked_at'] as const;

/** Nobody comes in as the user any more, from the commit on: the account is closed, and its sessions end with all that hangs on them. */
const shutOut = async (tx: ShopDatabase, users: readonly string[], subjects: readonly string[]): Promise<void> => {
  await tx.updateTable('users').set({ disabled: true }).where('id', 'in', users).execute();
  await tx
    .deleteFrom('sessions')
    .where(({ eb, or }) => or([eb('user_id', 'in', users), sql<boolean>`visitor_id::text = any(${subjects})`]))
    .execute();
};

/** Puts it on the list: from the commit on it will be done, whatever becomes of this process. What is on the list stays as it is. */
export const enlist = async (tx: ShopDatabase, erasures: readonly Erasure[]): Promise<void> => {
  if (erasures.length === 0) return;
  await tx
    .insertInto('erasures')
    .values(
      erasures.map(({ user, subjects, recipient, askedAt }) => ({ user_id: user, subjects: [...subjects], recipient, asked_at: askedAt })),
    )
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  await shutOut(
    tx,
    erasures.map(({ user }) => user),
    erasures.flatMap(({ subjects }) => subjects),
  );
};

/** All that is on the list, in the order in which it was asked for. */
export const listed = async (db: ShopDatabase): Promise<readonly Erasure[]> => {
  const rows = await db.selectFrom('erasures').select(COLUMNS).orderBy('asked_at').execute();
  return rows.map(erasureFrom);
};

/** Opens again what was finished and is not any more: an older backup brought accounts or keys back. Answers with how many that were. */
export const reopenReturned = async (db: ShopDatabase): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('erasures')
    .set({ finished_at: null })
    .where('finished_at', 'is not', null)
    .where(({ exists, or, selectFrom }) =>
      or([
        exists(selectFrom('users').select('users.id').whereRef('users.id', '=', 'erasures.user_id')),
        exists(
          selectFrom('subject_keys')
            .select('subject_keys.subject')
            .where(sql<boolean>`subject_keys.subject = any(erasures.subjects)`)
            .where('subject_keys.key', 'is not', null),
        ),
      ]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/**
 * The one of this user that is not finished, locked until the end of the transaction: it is waited for while another process is at it, and
 * nothing is found when it was finished meanwhile. Without a user the oldest that no other process is at.
 */
export const takeUnfinished = async (tx: ShopDatabase, user?: string): Promise<Erasure | undefined> => {
  const row = await tx
    .selectFrom('erasures')
    .select(COLUMNS)
    .where('finished_at', 'is', null)
    .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? ''))
    .orderBy('asked_at')
    .limit(1)
    .forUpdate()
    .$if(user === undefined, (query) => query.skipLocked())
    .executeTakeFirst();
  return row && erasureFrom(row);
};

/** Whether one is left to do, though another process may be at it. */
export const isAnyUnfinished = async (db: ShopDatabase): Promise<boolean> => {
  const row = await db.selectFrom('erasures').select('user_id').where('finished_at', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
};

export const noteSubjects = async (tx: ShopDatabase, { user, subjects }: Erasure): Promise<void> => {
  await tx
    .updateTable('erasures')
    .set({ subjects: [...subjects] })
    .where('user_id', '=', user)
    .execute();
};

/** Whether it is the erasure of an account, rather than of visitors. */
export const isOfAccount = ({ recipient }: Erasure): boolean => recipient.length > 0;

export const noteFinished = async (tx: ShopDatabase, { user }: Erasure, at: Date): Promise<void> => {
  await tx.updateTable('erasures').set({ finished_at: at }).where('user_id', '=', user).execute();
};
