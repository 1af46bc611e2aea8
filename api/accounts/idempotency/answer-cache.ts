import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

import type { StreamName } from '#domain/event-store.ts';

import { batcher } from '../../platform/batcher.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { anyOf, prepare, unnest, type Given } from '#projections/storage/prepare.ts';
import { decrypt, encrypt } from '../../platform/aes-gcm.ts';

export type CachedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly positions: string;
};

export type KeyedRequest = {
  readonly session: Buffer;
  readonly key: string;
  readonly request: string;
  /** The response contains data of this order, which belongs to another shopper. */
  readonly stream?: StreamName | undefined;
  readonly command?: string;
};

export type Claim = {
  readonly command: string;
  /** The value is true if an earlier request began the command and its progress is unknown. */
  readonly isRepeated: boolean;
  /** Stores the response for repetitions of the request. After null the next repetition is executed. */
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

const NOW = sql<Date>`now()`;
/**
 * The clock of Postgres counts. A retry may claim the request after this time, since its process may have died; if it has not, both run
 * under the same command, which has effect once.
 */
const CLAIM_ENDS = sql<Date>`now() + interval '4 seconds'`;
const NEVER = sql<Date>`'-infinity'`;
const EXPIRES = sql<Date>`now() + interval '24 hours'`;

/**
 * Optimisation, for "add to cart, with Idempotency-Key" of `npm run bench`: a statement that also selects from this commits without waiting
 * for the disk. Sixteen callers claim and keep 2,500 responses a second instead of 1,600. If Postgres loses a response in a crash, the
 * request runs again under the same command, which is then known as done. With the log in the same Postgres a claim is on disk before the
 * events of its command: it is earlier in the write-ahead log.
 */
const unhurried = sql`(select set_config('synchronous_commit', 'off', true))`.as<'unhurried'>(sql`unhurried`);

const NO_SUCH_ROW = '23503';

type Wanted = {
  readonly session: Buffer;
  readonly key: Buffer;
  readonly fingerprint: Buffer;
  readonly command: string;
  readonly claim: string;
  readonly stream: StreamName | null;
};
/** `command` is set only if the claim is ours; `fingerprint` and `answer` belong to the existing row. */
type Row = { readonly claim: string; readonly command: string | null; readonly fingerprint: Buffer | null; readonly answer: Buffer | null };

const WANTED = { session: 'bytea', key: 'bytea', fingerprint: 'bytea', command: 'uuid', claim: 'uuid', stream: 'text' } as const;
const COLUMNS = ['session', 'key', 'fingerprint', 'command', 'claim', 'stream'] as const;

/**
 * Claims many requests, in the order of their keys so that two processes never deadlock. The select sees the rows from before the insert:
 * if a row is missing, another process has just claimed it.
 */
const claiming = (isLogHere: boolean) =>
  prepare((db: ShopDatabase, given: Given<readonly Wanted[]>) =>
    db
      .with('asked', (query) => query.selectFrom(unnest('asked', given, WANTED)).select(COLUMNS))
      .with('ours', (query) =>
        query
          .insertInto('kept_answers')
          .columns([...COLUMNS, 'claimed_until', 'expires_at'])
          .expression(({ selectFrom }) =>
            selectFrom('asked')
              .$if(isLogHere, (asked) => asked.innerJoin(unhurried, (join) => join.onTrue()))
              .select([...COLUMNS, CLAIM_ENDS.as('claimed_until'), EXPIRES.as('expires_at')])
              .orderBy('session')
              .orderBy('key'),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['session', 'key'])
              .doUpdateSet(({ eb, ref, lit }) => ({
                fingerprint: ref('excluded.fingerprint'),
                claim: ref('excluded.claim'),
                stream: ref('excluded.stream'),
                claimed_until: ref('excluded.claimed_until'),
                answer: eb.case().when('kept_answers.expires_at', '<', NOW).then(lit(null)).else(ref('kept_answers.answer')).end(),
                command: eb
                  .case()
                  .when('kept_answers.expires_at', '<', NOW)
                  .then(ref('excluded.command'))
                  .else(ref('kept_answers.command'))
                  .end(),
                expires_at: ref('excluded.expires_at'),
              }))
              .where(({ eb, or, and, ref }) =>
                or([
                  eb('kept_answers.expires_at', '<', NOW),
                  and([
                    eb('kept_answers.answer', 'is', null),
                    eb('kept_answers.claimed_until', '<', NOW),
                    eb('kept_answers.fingerprint', '=', ref('excluded.fingerprint')),
                  ]),
                ]),
              ),
          )
          .returning(['session', 'key', 'command']),
      )
      .selectFrom('asked')
      .leftJoin('ours', (join) => join.onRef('ours.session', '=', 'asked.session').onRef('ours.key', '=', 'asked.key'))
      .leftJoin('kept_answers as kept', (join) => join.onRef('kept.session', '=', 'asked.session').onRef('kept.key', '=', 'asked.key'))
      .select(['asked.claim', 'ours.command', 'kept.fingerprint', 'kept.answer']),
  );

type ClaimRows = (wanted: readonly Wanted[]) => Promise<Row[]>;

const claimAll = async (claimRows: ClaimRows, wanted: readonly Wanted[]): Promise<readonly (Row | 'without session')[]> => {
  try {
    const rows = await claimRows(wanted);
    const byClaim = new Map(rows.map((row) => [row.claim, row]));
    return wanted.map(({ claim }) => byClaim.get(claim) ?? { claim, command: null, fingerprint: null, answer: null });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_ROW) throw error;
    if (wanted.length === 1) return ['without session'];
    // One of the sessions has ended: each request is claimed separately, so that the others succeed.
    return (await Promise.all(wanted.map((each) => claimAll(claimRows, [each])))).flat();
  }
};

/** The response is null when none is kept. */
type EndedClaim = { readonly session: Buffer; readonly key: Buffer; readonly claim: string; readonly answer: Buffer | null };

const endClaims = prepare((db: ShopDatabase, given: Given<readonly EndedClaim[]>) =>
  db
    .updateTable('kept_answers as kept')
    .from([unnest('ended', given, { session: 'bytea', key: 'bytea', claim: 'uuid', answer: 'bytea' }), unhurried])
    .set(({ ref }) => ({ answer: ref('ended.answer'), claimed_until: NEVER }))
    .whereRef('kept.session', '=', 'ended.session')
    .whereRef('kept.key', '=', 'ended.key')
    .whereRef('kept.claim', '=', 'ended.claim'),
);

/** Forgets responses, including those of requests under way. Retries run under the same command, which is then known as done. */
export const forgetAnswers = async (db: ShopDatabase, streams: readonly StreamName[]): Promise<void> => {
  await db
    .updateTable('kept_answers')
    .set({ answer: null, claim: randomUUID(), claimed_until: NEVER })
    .where('stream', '=', anyOf(streams))
    .execute();
};

type Parts = {
  readonly db: ShopDatabase;
  readonly keys: { readonly sealing: Buffer; readonly naming: Buffer };
  readonly isLogHere: boolean;
};

/**
 * Keeps responses by key in `shop.kept_answers` for 24 hours. Concurrent requests share statements. Callers must not claim a key twice at
 * once.
 */
export const answerCache = ({ db, keys, isLogHere }: Parts): AnswerCache => {
  const named = (text: string): Buffer => createHmac('sha256', keys.naming).update(text).digest();
  const claimRows = claiming(isLogHere);
  const claim = batcher((wanted: readonly Wanted[]) => claimAll((rows) => claimRows(db, rows), wanted));
  const end = batcher(async (ended: readonly EndedClaim[]) => {
    await endClaims(db, ended);
    return ended;
  });

  const createClaim = (wanted: Wanted, command: string): Claim => {
    const { session, key, claim } = wanted;
    return {
      command,
      isRepeated: command !== wanted.command,
      end: async (answer) => {
        const sealed = answer && encrypt(keys.sealing, Buffer.concat([session, key]), JSON.stringify(answer));
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
      if (row.command !== null) return { is: 'ours', claim: createClaim(wanted, row.command) };
      if (!row.fingerprint) return { is: 'under way' };
      if (!row.fingerprint.equals(fingerprint)) return { is: 'other request' };
      if (!row.answer) return { is: 'under way' };
      // The text was encrypted by `end`.
      return {
        is: 'answered',
        answer: JSON.parse(decrypt(keys.sealing, Buffer.concat([session, key]), row.answer).toString()) as CachedAnswer,
      };
    },
  };
};
