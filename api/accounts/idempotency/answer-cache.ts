import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

import type { StreamName } from '#domain/event-store.ts';

import { batcher } from '../../platform/batcher.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { openText, sealText } from '../../platform/sealed-text.ts';

export type CachedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The value of the position cookie. */
  readonly positions: string;
};

export type KeyedRequest = {
  readonly session: Buffer;
  readonly key: string;
  readonly request: string;
  /** The order of another shopper whose data are in the answer. */
  readonly stream?: StreamName | undefined;
  /** The command's id if it has one already. */
  readonly command?: string;
};

export type Claim = {
  readonly command: string;
  /** It was begun before, and how far it got is not known. */
  readonly isRepeated: boolean;
  /** The answer is given to repetitions of the request. After null the next one is worked on. */
  end(answer: CachedAnswer | null): Promise<void>;
};

export type Claimed =
  | { readonly is: 'ours'; readonly claim: Claim }
  | { readonly is: 'answered'; readonly answer: CachedAnswer }
  | { readonly is: 'under way' }
  | { readonly is: 'other request' }
  /** The session has just ended. */
  | { readonly is: 'without session' };

export type AnswerCache = { claim(asked: KeyedRequest): Promise<Claimed> };

/**
 * By the clock of Postgres. A retry may claim the request after this time, since its process may have died; where it has not, both run under
 * the same command, which has effect once.
 */
const CLAIM = `interval '4 seconds'`;
const KEPT = `interval '24 hours'`;

/**
 * Optimisation, for "add to cart, with Idempotency-Key" of `npm run bench`: a statement with this in its `from` commits without waiting for
 * the disk. Sixteen callers claim and keep 2,500 answers a second instead of 1,600. If Postgres loses an answer in a crash, the request
 * runs again under the same command, which is then known to be done. With the log in the same Postgres a claim is on disk before the events
 * of its command: it is earlier in the write-ahead log.
 */
const UNHURRIED = `(select set_config('synchronous_commit', 'off', true)) as unhurried`;

/**
 * Claims many requests, in the order of their keys so that two processes never deadlock. The select sees the rows from before the insert:
 * no row means that another process has just claimed it.
 */
const claiming = (more = '') => `with asked as (
    select * from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::uuid[], $5::uuid[], $6::text[]) as asked (session, key, fingerprint, command, claim, stream)
  ), ours as (
    insert into shop.kept_answers as kept (session, key, fingerprint, command, claim, stream, claimed_until, expires_at)
    select session, key, fingerprint, command, claim, stream, now() + ${CLAIM}, now() + ${KEPT} from asked${more} order by session, key
    on conflict (session, key) do update set
      fingerprint = excluded.fingerprint, claim = excluded.claim, stream = excluded.stream, claimed_until = excluded.claimed_until,
      answer = case when kept.expires_at < now() then null else kept.answer end,
      command = case when kept.expires_at < now() then excluded.command else kept.command end,
      expires_at = excluded.expires_at
    where kept.expires_at < now() or (kept.answer is null and kept.claimed_until < now() and kept.fingerprint = excluded.fingerprint)
    returning session, key, command
  )
  select asked.claim, ours.command, there.fingerprint, there.answer from asked
  left join ours on ours.session = asked.session and ours.key = asked.key
  left join shop.kept_answers as there on there.session = asked.session and there.key = asked.key`;

/** The answer is null when none is kept. */
const END_CLAIMS = `update shop.kept_answers as kept set answer = ended.answer, claimed_until = '-infinity'
  from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::bytea[]) as ended (session, key, claim, answer), ${UNHURRIED}
  where kept.session = ended.session and kept.key = ended.key and kept.claim = ended.claim`;

const NO_SUCH_ROW = '23503';

type Wanted = {
  readonly session: Buffer;
  readonly key: Buffer;
  readonly fingerprint: Buffer;
  readonly command: string;
  readonly claim: string;
  readonly stream: StreamName | null;
};
/** `command` only if the claim is ours; `fingerprint` and `answer` are of the existing row. */
type Row = { readonly claim: string; readonly command: string | null; readonly fingerprint: Buffer | null; readonly answer: Buffer | null };

type Claiming = { readonly name: string; readonly text: string };

const claimAll = async (pool: pg.Pool, statement: Claiming, wanted: readonly Wanted[]): Promise<readonly (Row | 'without session')[]> => {
  const values = (['session', 'key', 'fingerprint', 'command', 'claim', 'stream'] as const).map((name) => wanted.map((each) => each[name]));
  try {
    const { rows } = await pool.query<Row>({ ...statement, values });
    const byClaim = new Map(rows.map((row) => [row.claim, row]));
    return wanted.map(({ claim }) => byClaim.get(claim) ?? { claim, command: null, fingerprint: null, answer: null });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_ROW) throw error;
    if (wanted.length === 1) return ['without session'];
    // One of the sessions has ended: claim one by one, so that the others succeed.
    return (await Promise.all(wanted.map((each) => claimAll(pool, statement, [each])))).flat();
  }
};

type EndedClaim = { readonly session: Buffer; readonly key: Buffer; readonly claim: string; readonly answer: Buffer | null };

const endClaims = async (pool: pg.Pool, ended: readonly EndedClaim[]): Promise<readonly EndedClaim[]> => {
  const values = (['session', 'key', 'claim', 'answer'] as const).map((name) => ended.map((each) => each[name]));
  await pool.query({ name: 'end-claims', text: END_CLAIMS, values });
  return ended;
};

/** Also of requests under way. Retries run under the same command, which is then known to be done. */
export const forgetAnswers = async (db: ShopDatabase, streams: readonly StreamName[]): Promise<void> => {
  await db
    .updateTable('kept_answers')
    .set({ answer: null, claim: sql`gen_random_uuid()`, claimed_until: sql`'-infinity'` })
    .where(sql<boolean>`stream = any(${streams})`)
    .execute();
};

type Parts = {
  readonly pool: pg.Pool;
  readonly keys: { readonly sealing: Buffer; readonly naming: Buffer };
  readonly isLogHere: boolean;
};

/**
 * Answers by key, in `shop.kept_answers`, for 24 hours. Concurrent requests share statements. Callers must not claim a key twice at once.
 */
export const answerCache = ({ pool, keys, isLogHere }: Parts): AnswerCache => {
  const named = (text: string): Buffer => createHmac('sha256', keys.naming).update(text).digest();
  const statement = isLogHere
    ? { name: 'claim-keys-unhurried', text: claiming(`, ${UNHURRIED}`) }
    : { name: 'claim-keys', text: claiming() };
  const claim = batcher((wanted: readonly Wanted[]) => claimAll(pool, statement, wanted));
  const end = batcher((ended: readonly EndedClaim[]) => endClaims(pool, ended));

  const claimOf = (wanted: Wanted, command: string): Claim => {
    const { session, key, claim } = wanted;
    return {
      command,
      isRepeated: command !== wanted.command,
      end: async (answer) => {
        const sealed = answer && sealText(keys.sealing, Buffer.concat([session, key]), JSON.stringify(answer));
        await end({ session, key, claim, answer: sealed });
      },
    };
  };

  return {
    claim: async ({ session, key: given, request, stream = null, command = randomUUID() }) => {
      const [key, fingerprint] = [named(given), named(request)];
      const wanted = { session, key, fingerprint, command, claim: randomUUID(), stream };
      const row = await claim(wanted);
      if (row === 'without session') return { is: row };
      if (row.command !== null) return { is: 'ours', claim: claimOf(wanted, row.command) };
      if (!row.fingerprint) return { is: 'under way' };
      if (!row.fingerprint.equals(fingerprint)) return { is: 'other request' };
      if (!row.answer) return { is: 'under way' };
      // Sealed by `end`.
      return { is: 'answered', answer: JSON.parse(openText(keys.sealing, Buffer.concat([session, key]), row.answer)) as CachedAnswer };
    },
  };
};
