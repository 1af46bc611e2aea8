import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

import { uuidFrom } from '#domain/shared/ids.ts';

import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import type { WrappedKey } from '../../event-store/encryption/subject-keys.ts';
import { batcher } from '../../platform/batcher.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { anyOf, prepare, unnest, type Given } from '#projections/storage/prepare.ts';
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

export type Sessions = {
  /** Returns a session, whose user may be half a second old unless called with `today`. */
  find(token: string, today?: 'today'): Promise<Session | undefined>;
  openForVisitor(): Promise<{ token: string; session: Session }>;
  /** Opens a session with a new token; the browser's former session ends. */
  openForUser(user: User, before: Session | undefined): Promise<{ token: string; session: Session }>;
  end(session: Session): Promise<void>;
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
    .select(['token_hash', 'visitor_id', 'user_id', 'sessions.created_at', 'seen_at', 'personal', 'is_admin', 'is_auditor'])
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

const unusedFor = (row: Row, at: Date): number => at.getTime() - row.seen_at.getTime();

const isAlive = (row: Row, at: Date): boolean => {
  const kind = row.user_id === null ? 'visitor' : row.user.isAdmin || row.user.isAuditor ? 'staff' : 'user';
  const { idle, absolute } = LIFETIMES[kind];
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

  const noteUse = async (id: string, row: Row, at: Date): Promise<void> => {
    row.seen_at = at;
    await db.updateTable('sessions').set({ seen_at: at }).where('token_hash', '=', hashSessionId(id)).execute();
  };

  const living = async (id: string, row: Row): Promise<Session | undefined> => {
    const at = now();
    if (!isAlive(row, at)) return undefined;
    if (unusedFor(row, at) > NOTED_EVERY) await noteUse(id, row, at);
    return { id, begunAt: row.created_at, owner: getOwner(row) };
  };

  const opened = (token: string, owner: Session['owner'], begunAt: Date) => ({
    token,
    session: { id: deriveSessionId(token), begunAt, owner },
  });

  return {
    find: async (token, today) => {
      const id = deriveSessionId(token);
      const row = await findRow(id, today !== undefined);
      return row && living(id, row);
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
    openForUser: async (user, before) => {
      const token = newToken();
      const at = now();
      const row = { token_hash: tokenHash(token), visitor_id: null, user_id: user.id, created_at: at, seen_at: at };
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('sessions').values(row).execute();
        if (before) await tx.deleteFrom('sessions').where('token_hash', '=', hashSessionId(before.id)).execute();
      });
      if (before) remembered.delete(before.id);
      return opened(token, { kind: 'user', user }, at);
    },
    end: async ({ id }) => {
      await db.deleteFrom('sessions').where('token_hash', '=', hashSessionId(id)).execute();
      remembered.delete(id);
    },
    forget: (userId) => {
      const theirs = [...remembered.entries()].filter(([, entry]) => entry.userId === userId);
      for (const [id] of theirs) remembered.delete(id);
    },
  };
};
