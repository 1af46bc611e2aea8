import { randomBytes, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

import { uuidFrom } from '#domain/shared/ids.ts';

import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { WrappedKey } from '../../event-store/encryption/subject-keys.ts';
import { batcher } from '../../platform/batcher.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { anyOf, prepare, unnest, type Given } from '#projections/storage/prepare.ts';
import { wrongCredentials } from '../account-errors.ts';
import { newToken, tokenHash } from './tokens.ts';
import { openUser, type User, type UserRow } from '../user.ts';

/**
 * Returns a UUID of version 7 (RFC 9562), which begins with the time, so that new rows are added at one end of an index. It gives no
 * access; the token does.
 */
export const newVisitorId = (at: Date): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidFrom(bytes.toString('hex'));
};

const DAY = 24 * 3_600_000;

/** The lifetimes are in ms: `idle` applies without use, and `absolute` in any case. */
export const LIFETIMES = {
  user: { idle: 14 * DAY, absolute: 90 * DAY },
  staff: { idle: DAY / 2, absolute: 90 * DAY },
  visitor: { idle: 30 * DAY, absolute: 180 * DAY },
} as const;

/** The last use is written at most once in this many ms. */
const NOTED_EVERY = 10 * 60_000;
/** After it an ended session or removed right is refused in all processes. */
const CACHED_FOR_MS = 500;
/** Fewer sessions than this are used within that time. */
const CACHE_SIZE = 2_000;

export type Session = {
  /** The id gives no access. */
  readonly id: string;
  readonly begunAt: Date;
  readonly owner: { readonly kind: 'visitor'; readonly id: string } | { readonly kind: 'user'; readonly user: User };
};

/** Where a request comes from: a device such as `Firefox on Linux`, and a network address. */
export type Place = { readonly device: string; readonly address: string };

/** `device` and `address` are null in a session that was last used before the shop noted them. */
export type UserSessionView = { readonly _id: string; readonly lastUsedAt: Date } & { readonly [Name in keyof Place]: string | null };

export type Sessions = {
  /** Returns a session, whose user may be half a second old unless called with `today`. Notes the place of its use. */
  find(token: string, place: () => Place, today?: 'today'): Promise<Session | undefined>;
  openForVisitor(): Promise<{ token: string; session: Session }>;
  /** Opens a session with a new token; the browser's former session ends. Throws a 401 if the access ended since the user was read. */
  openForUser(user: User, before: Session | undefined, place: Place): Promise<{ token: string; session: Session }>;
  /** Returns the sessions of a user that are alive, the last used first. */
  list(user: User): Promise<readonly UserSessionView[]>;
  end(session: Session): Promise<void>;
  /** Ends a session of this user. Returns false if there is none with this id. */
  endOne(userId: string, id: string): Promise<boolean>;
  forget(userId: string): void;
};

type Times = { created_at: Date; seen_at: Date };
type VisitorRow = Times & { visitor_id: string; user_id: null };
type UserSession = Times & { readonly visitor_id: null; readonly user_id: string; readonly user: User };
type Row = VisitorRow | UserSession;

const deriveSessionId = (token: string): string => tokenHash(token).toString('hex');
const hashSessionId = (id: string): Buffer => Buffer.from(id, 'hex');

type Found = { readonly token_hash: Buffer } & (
  VisitorRow | (Omit<UserSession, 'user'> & Omit<UserRow, 'id'> & Pick<WrappedKey, 'key' | 'wrapped_by'> & { key_made_at: Date | null })
);

/** Finds sessions with their users and the keys of these, so that one query is enough. Does not return sessions of disabled users. */
const findSessions = prepare((db: ShopDatabase, given: Given<readonly Buffer[]>) =>
  db
    .selectFrom('sessions')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('subject_keys', (join) =>
      join.on(({ eb, cast, ref }) => eb(ref('subject_keys.subject'), '=', cast<string>('user_id', 'text'))),
    )
    .select(['token_hash', 'visitor_id', 'user_id', 'sessions.created_at', 'seen_at', 'personal', 'roles', 'totp_since', 'registration'])
    .select(['key', 'wrapped_by', 'subject_keys.created_at as key_made_at'])
    .where('token_hash', '=', anyOf(given((hashes) => hashes)))
    .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('disabled', '=', false)]))
    // Each session has either a visitor or a user.
    .$castTo<Found>(),
);

type Remembered = { readonly row: Promise<Row | undefined>; userId?: string | null | undefined };
type NewVisitor = VisitorRow & { readonly token_hash: Buffer };

/** Inserts new visitors in one commit: under load nearly every command begins with a new visitor. */
const insertVisitors = prepare((db: ShopDatabase, given: Given<readonly NewVisitor[]>) => {
  const visitors = unnest('visitor', given, { token_hash: 'bytea', visitor_id: 'uuid', created_at: 'timestamptz', seen_at: 'timestamptz' });
  const columns = ['token_hash', 'visitor_id', 'created_at', 'seen_at'] as const;
  return db
    .insertInto('sessions')
    .columns(columns)
    .expression(({ selectFrom }) => selectFrom(visitors).select(columns));
});

type Parts = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'open' | 'accept'>; readonly now: () => Date };

const getOwner = (row: Row): Session['owner'] => {
  if (row.user_id === null) return { kind: 'visitor', id: row.visitor_id };
  return { kind: 'user', user: row.user };
};

const unusedFor = (row: Times, at: Date): number => at.getTime() - row.seen_at.getTime();

const lifetimesOf = (user: User | undefined) => LIFETIMES[user === undefined ? 'visitor' : user.roles.length > 0 ? 'staff' : 'user'];

const isAlive = (row: Times, user: User | undefined, at: Date): boolean => {
  const { idle, absolute } = lifetimesOf(user);
  return unusedFor(row, at) <= idle && at.getTime() - row.created_at.getTime() <= absolute;
};

/** Decrypts the users of sessions. `asked` is the time before these were read. */
const openSessions = async (sealed: Parts['sealed'], rows: readonly Found[], asked: number): Promise<ReadonlyMap<string, Row>> => {
  const ofUsers = rows.filter((row) => row.user_id !== null);
  const keys = ofUsers.flatMap(({ user_id: subject, key, wrapped_by, key_made_at }) =>
    key_made_at ? [{ subject, key, wrapped_by, created_at: key_made_at }] : [],
  );
  await sealed.accept(keys, asked);
  const open = async (row: Found): Promise<Row> => {
    const { created_at, seen_at, visitor_id, user_id } = row;
    if (user_id === null) return { created_at, seen_at, visitor_id, user_id };
    return { created_at, seen_at, visitor_id, user_id, user: await openUser(sealed, { ...row, id: user_id }) };
  };
  return new Map(await Promise.all(rows.map(async (row) => [row.token_hash.toString('hex'), await open(row)] as const)));
};

/**
 * Locks the user of a sign-in until the transaction ends: `endAccess` waits, and then finds what the sign-in inserted. Throws a 401 if the
 * access ended since the user was read.
 */
export const lockForEntry = async (tx: ShopDatabase, { id, registration }: User): Promise<void> => {
  const open = tx.selectFrom('users').select('id').where('id', '=', id).where('registration', '=', registration);
  if (!(await open.where('disabled', '=', false).forShare().executeTakeFirst())) throw wrongCredentials();
};

/**
 * Ends whatever opens these accounts: sessions except one, mailed links, and sign-ins under way. Returns their new registration. Call `forget`
 * after the commit.
 */
export const endAccess = async (tx: ShopDatabase, userIds: readonly string[], except?: Pick<Session, 'id'>): Promise<string> => {
  const registration = randomUUID();
  // This comes first, because it waits for the sign-ins that have locked the row (`lockForEntry`).
  await tx.updateTable('users').set({ registration }).where('id', '=', anyOf(userIds)).execute();
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', anyOf(userIds))
    .$if(except !== undefined, (query) => query.where('token_hash', '!=', hashSessionId(except?.id ?? '')))
    .execute();
  for (const table of ['password_resets', 'login_tokens'] as const)
    await tx.deleteFrom(table).where('user_id', '=', anyOf(userIds)).execute();
  return registration;
};

export const createSessions = ({ db, sealed, now }: Parts): Sessions => {
  const remembered = new LRUCache<string, Remembered>({ max: CACHE_SIZE, ttl: CACHED_FOR_MS });
  const greet = batcher(async (rows: readonly NewVisitor[]) => {
    await insertVisitors(db, rows);
    return rows;
  });

  /** Queries are batched, since every call that needs a permission asks the database. */
  const look = batcher(async (ids: readonly string[]): Promise<readonly (Row | undefined)[]> => {
    const hashes = [...new Set(ids)].map(hashSessionId);
    const asked = performance.now();
    const found = await openSessions(sealed, await findSessions(db, hashes), asked);
    return ids.map((id) => found.get(id));
  });

  const remember = (id: string, row: Promise<Row | undefined>): Promise<Row | undefined> => {
    const entry: Remembered = { row };
    remembered.set(id, entry);
    row.then(
      (found) => (entry.userId = found?.user_id),
      () => remembered.delete(id),
    );
    return row;
  };

  const findRow = (id: string, isToday: boolean): Promise<Row | undefined> => {
    const known = isToday ? undefined : remembered.get(id);
    return known?.row ?? remember(id, look(id));
  };

  const noteUse = async (id: string, row: Row, place: () => Place, at: Date): Promise<void> => {
    row.seen_at = at;
    const noted = { seen_at: at, ...(row.user_id !== null && place()) };
    await db.updateTable('sessions').set(noted).where('token_hash', '=', hashSessionId(id)).execute();
  };

  const living = async (id: string, row: Row, place: () => Place): Promise<Session | undefined> => {
    const at = now();
    if (!isAlive(row, row.user_id === null ? undefined : row.user, at)) return undefined;
    if (unusedFor(row, at) > NOTED_EVERY) await noteUse(id, row, place, at);
    return { id, begunAt: row.created_at, owner: getOwner(row) };
  };

  const opened = (token: string, owner: Session['owner'], begunAt: Date) => ({
    token,
    session: { id: deriveSessionId(token), begunAt, owner },
  });

  const forget = (userId: string): void => {
    const theirs = [...remembered.entries()].filter(([, entry]) => entry.userId === userId);
    for (const [id] of theirs) remembered.delete(id);
  };

  return {
    find: async (token, place, today) => {
      const id = deriveSessionId(token);
      const row = await findRow(id, today !== undefined);
      return row && living(id, row, place);
    },
    openForVisitor: async () => {
      const token = newToken();
      const at = now();
      const visitor: VisitorRow = { visitor_id: newVisitorId(at), user_id: null, created_at: at, seen_at: at };
      const session = opened(token, getOwner(visitor), at);
      await greet({ ...visitor, token_hash: tokenHash(token) });
      void remember(session.session.id, Promise.resolve(visitor));
      return session;
    },
    openForUser: async (user, before, place) => {
      const token = newToken();
      const at = now();
      const row = { token_hash: tokenHash(token), visitor_id: null, user_id: user.id, created_at: at, seen_at: at, ...place };
      await db.transaction().execute(async (tx) => {
        await lockForEntry(tx, user);
        await tx.insertInto('sessions').values(row).execute();
        if (!before) return;
        const former = hashSessionId(before.id);
        // The new session keeps the orders that a visitor or the same user opened by mailed links.
        if (before.owner.kind === 'visitor' || before.owner.user.id === user.id)
          await tx.updateTable('opened_orders').set({ session: row.token_hash }).where('session', '=', former).execute();
        await tx.deleteFrom('sessions').where('token_hash', '=', former).execute();
      });
      if (before) remembered.delete(before.id);
      return opened(token, { kind: 'user', user }, at);
    },
    list: async (user) => {
      const rows = await db
        .selectFrom('sessions')
        .select(['token_hash', 'created_at', 'seen_at', 'device', 'address'])
        .where('user_id', '=', user.id)
        .orderBy('seen_at', 'desc')
        .execute();
      const at = now();
      return rows
        .filter((row) => isAlive(row, user, at))
        .map(({ token_hash, seen_at, device, address }) => ({ _id: token_hash.toString('hex'), device, address, lastUsedAt: seen_at }));
    },
    endOne: async (userId, id) => {
      const ended = await db
        .deleteFrom('sessions')
        .where('token_hash', '=', hashSessionId(id))
        .where('user_id', '=', userId)
        .executeTakeFirst();
      remembered.delete(id);
      return ended.numDeletedRows > 0n;
    },
    end: async ({ id }) => {
      await db.deleteFrom('sessions').where('token_hash', '=', hashSessionId(id)).execute();
      remembered.delete(id);
    },
    forget,
  };
};
