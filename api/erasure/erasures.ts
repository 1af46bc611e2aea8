import type { ExpressionBuilder } from 'kysely';

import { anyOf } from '#projections/storage/prepare.ts';

import { endAccess } from '../accounts/sessions/session-store.ts';
import type { ShopDatabase, ShopTables } from '../platform/postgres/shop-tables.ts';

/** Names whose data are erased: ids, and keyed hashes of addresses. */
export type Erasure = {
  /** The id is that of the user, of a visitor, or a random UUID for several visitors. */
  readonly user: string;
  /** The subjects of the keys are the user and their former visitor ids. */
  readonly subjects: readonly string[];
  /** The subjects of the keys of newsletter, messages and notices: those of the addresses that the account has and had, or of a guest's. */
  readonly addresses: readonly string[];
  /** The outbox's hashes of the same addresses (`Outbox.recipientOf`). Visitors who left only drafts, or ask themselves, have none. */
  readonly recipients: readonly Buffer[];
  readonly askedAt: Date;
};

type Row = { user_id: string; subjects: string[]; addresses: string[]; recipient: Buffer; former_recipients: Buffer[]; asked_at: Date };

/** A row without addresses has an empty `recipient`. */
const NOBODY: Buffer = Buffer.alloc(0);

const erasureFrom = ({ user_id: user, recipient, former_recipients, asked_at: askedAt, ...row }: Row): Erasure => ({
  user,
  askedAt,
  ...row,
  recipients: recipient.equals(NOBODY) ? [] : [recipient, ...former_recipients],
});

const COLUMNS = ['user_id', 'subjects', 'addresses', 'recipient', 'former_recipients', 'asked_at'] as const;

/** Closes the accounts, and deletes sessions with everything that refers to them: after the commit the users cannot sign in. */
const shutOut = async (tx: ShopDatabase, users: readonly string[], subjects: readonly string[]): Promise<void> => {
  await tx.updateTable('users').set({ disabled: true }).where('id', '=', anyOf(users)).execute();
  await endAccess(tx, users);
  await tx
    .deleteFrom('sessions')
    .where(({ eb, cast }) => eb(cast<string>('visitor_id', 'text'), '=', anyOf(subjects)))
    .execute();
};

/** Puts erasures on the list: after the commit they will be done, even if this process dies. Existing entries are not changed. */
export const enlist = async (tx: ShopDatabase, erasures: readonly Erasure[]): Promise<void> => {
  if (erasures.length === 0) return;
  await tx
    .insertInto('erasures')
    .values(
      erasures.map(({ user, subjects, addresses, recipients: [recipient = NOBODY, ...former_recipients], askedAt }) => ({
        user_id: user,
        subjects: [...subjects],
        addresses: [...addresses],
        recipient,
        former_recipients,
        asked_at: askedAt,
      })),
    )
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  await shutOut(
    tx,
    erasures.map(({ user }) => user),
    erasures.flatMap(({ subjects }) => subjects),
  );
};

export const listed = async (db: ShopDatabase): Promise<readonly Erasure[]> => {
  const rows = await db.selectFrom('erasures').select(COLUMNS).orderBy('asked_at').execute();
  return rows.map(erasureFrom);
};

/** Returns the condition that a key of the erasure exists, which makes data readable. */
const hasKey = ({ exists, selectFrom }: ExpressionBuilder<ShopTables, 'erasures'>) =>
  exists(
    selectFrom('subject_keys')
      .select('subject_keys.subject')
      .where(({ eb, fn, or }) =>
        or([eb('subject_keys.subject', '=', fn.any('erasures.subjects')), eb('subject_keys.subject', '=', fn.any('erasures.addresses'))]),
      )
      .where('subject_keys.key', 'is not', null),
  );

/** Reopens erasures whose account or key came back with an older backup. Returns their number. */
export const reopenReturned = async (db: ShopDatabase): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('erasures')
    .set({ finished_at: null })
    .where('finished_at', 'is not', null)
    .where((eb) => eb.or([eb.exists(eb.selectFrom('users').select('users.id').whereRef('users.id', '=', 'erasures.user_id')), hasKey(eb)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** Returns the users of unfinished erasures, the oldest first, including those on which another process works. */
export const unfinished = async (db: ShopDatabase): Promise<readonly string[]> => {
  const rows = await db.selectFrom('erasures').select('user_id').where('finished_at', 'is', null).orderBy('asked_at').execute();
  return rows.map(({ user_id }) => user_id);
};

/** Returns the users of unfinished erasures with a subject whose key still exists: their data can still be read. */
export const stillReadable = async (db: ShopDatabase): Promise<readonly string[]> => {
  const rows = await db.selectFrom('erasures').select('user_id').where('finished_at', 'is', null).where(hasKey).execute();
  return rows.map(({ user_id }) => user_id);
};

/**
 * Returns the erasure if it is unfinished, locked until the transaction ends. While another process works on it, this waits or, if
 * `skipsLocked`, returns undefined.
 */
export const takeUnfinished = async (tx: ShopDatabase, user: string, skipsLocked: boolean): Promise<Erasure | undefined> => {
  const row = await tx
    .selectFrom('erasures')
    .select(COLUMNS)
    .where('finished_at', 'is', null)
    .where('user_id', '=', user)
    .forUpdate()
    .$if(skipsLocked, (query) => query.skipLocked())
    .executeTakeFirst();
  return row && erasureFrom(row);
};

export const noteSubjects = async (tx: ShopDatabase, { user, subjects }: Erasure): Promise<void> => {
  await tx
    .updateTable('erasures')
    .set({ subjects: [...subjects] })
    .where('user_id', '=', user)
    .execute();
};

/** Returns whether it is the erasure of an account: that of a guest with an address has an id of its own. */
export const isOfAccount = ({ user, subjects, recipients }: Erasure): boolean => recipients.length > 0 && subjects.includes(user);

export const noteFinished = async (tx: ShopDatabase, { user }: Erasure, at: Date): Promise<void> => {
  await tx.updateTable('erasures').set({ finished_at: at }).where('user_id', '=', user).execute();
};
