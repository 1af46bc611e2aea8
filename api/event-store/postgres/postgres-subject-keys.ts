import { LRUCache } from 'lru-cache';
import type pg from 'pg';

import { batcher } from '../../platform/batcher.ts';
import { unwrapKey, wrapKey, type Keyring } from '../encryption/key-encryption.ts';
import { persistently } from './postgres-connections.ts';
import { newKeyBytes, REMEMBERED_FOR, SubjectErased, type SubjectKey, type SubjectKeys } from '../encryption/subject-keys.ts';

const CACHE_SIZE = 10_000;
/** So many look for keys by one query: few enough that nobody waits long for those of the others. */
const AT_ONCE = 32;
/** All that is asked here may be asked twice; after so long it is `EventStoreUnavailable`, in ms. */
const ANSWER_WITHIN = 5_000;
/** So often a key is wrapped anew, should the current key-encryption key change at that very moment. */
const ATTEMPTS = 3;

type Row = { subject: string; key: Buffer | null; wrapped_by: string | null; created_at: Date };

const COLUMNS = 'subject, key, wrapped_by, created_at';
/**
 * The keys of these, made where there are none. The first insert wins, in whatever process, and one that wins in this very moment is not
 * seen; the row of an erased subject stands in the way of a new key for ever. Nothing is made with a key-encryption key that is no longer
 * current: while a rotation wraps all keys anew, none is added behind it.
 */
const ENSURE = `with wanted as (select * from unnest($1::text[], $2::bytea[]) as w (subject, key)),
    made as (insert into shop.subject_keys (subject, key, wrapped_by) select subject, key, id
      from wanted, shop.key_encryption_keys where id = $3 and is_current order by subject
      on conflict (subject) do nothing returning ${COLUMNS})
  select ${COLUMNS} from made union all select ${COLUMNS} from shop.subject_keys where subject = any($1)`;
const FIND = `select ${COLUMNS} from shop.subject_keys where subject = any($1::text[])`;
const ERASE = `insert into shop.subject_keys (subject, erased_at) select subject, now() from unnest($1::text[]) as erased (subject)
  on conflict (subject) do update set key = null, wrapped_by = null, erased_at = coalesce(subject_keys.erased_at, excluded.erased_at)`;

/** A clock in milliseconds, beginning above 0. */
type Options = { readonly now?: () => number };

/** The keys in Postgres, wrapped, table `shop.subject_keys`; the latest of them open in memory for half a second. */
export const postgresSubjectKeys = (
  pool: Pick<pg.Pool, 'query'>,
  keyring: Keyring,
  { now = () => performance.now() }: Options = {},
): SubjectKeys => {
  const ask = (query: pg.QueryConfig) => persistently(ANSWER_WITHIN, () => pool.query<Row>(query));
  const cache = new LRUCache<string, SubjectKey>({ max: CACHE_SIZE, ttl: REMEMBERED_FOR, ttlResolution: 0, perf: { now } });

  /** Open keys out of rows, and null where one was erased. */
  const unwrapped = async (rows: readonly Row[], asked: number): Promise<Map<string, SubjectKey | null>> => {
    // Another process may have begun a rotation.
    if (rows.some(({ wrapped_by }) => wrapped_by !== null && !keyring.find(wrapped_by))) await keyring.refresh();
    const keys = new Map<string, SubjectKey | null>();
    for (const { subject, key, wrapped_by, created_at } of rows) {
      const opened =
        key === null || wrapped_by === null ? null : { bytes: unwrapKey(keyring, wrapped_by, subject, key), madeAt: created_at.getTime() };
      keys.set(subject, opened);
      if (opened) cache.set(subject, opened, { start: asked });
    }
    return keys;
  };

  /** What many look for at once is one query. */
  const find = batcher(async (wanted: readonly (readonly string[])[]): Promise<readonly ReadonlyMap<string, SubjectKey | null>[]> => {
    const asked = now();
    const { rows } = await ask({ name: 'find-subject-keys', text: FIND, values: [[...new Set(wanted.flat())]] });
    const keys = await unwrapped(rows, asked);
    return wanted.map(() => keys);
  }, AT_ONCE);

  const keysOf = async (subjects: readonly string[]): Promise<Map<string, SubjectKey>> => {
    const found = new Map<string, SubjectKey>();
    const unknown: string[] = [];
    for (const subject of subjects) {
      const key = cache.get(subject);
      if (key) found.set(subject, key);
      else unknown.push(subject);
    }
    if (unknown.length === 0) return found;
    const keys = await find(unknown);
    for (const subject of unknown) {
      const key = keys.get(subject);
      if (key) found.set(subject, key);
    }
    return found;
  };

  /**
   * Together, since in a rush nearly every order is of somebody new. Of a subject that is wanted twice it is made once. `null` when it was
   * erased, undefined when another process made it this very moment, or the current key-encryption key has changed.
   */
  const ensure = batcher(async (wanted: readonly string[]): Promise<readonly (SubjectKey | null | undefined)[]> => {
    const subjects = [...new Set(wanted)];
    const asked = now();
    const current = keyring.current();
    const wrapped = subjects.map((subject) => wrapKey(current, subject, newKeyBytes()));
    const { rows } = await ask({ name: 'ensure-subject-keys', text: ENSURE, values: [subjects, wrapped, current.id] });
    const keys = await unwrapped(rows, asked);
    if (subjects.some((subject) => !keys.has(subject))) await keyring.refresh();
    return wanted.map((subject) => keys.get(subject));
  });

  return {
    keysOf,
    keyFor: async (subject) => {
      const known = cache.get(subject);
      if (known) return known;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const key = await ensure(subject);
        if (key === null) throw new SubjectErased(subject);
        if (key) return key;
      }
      throw new Error(`No key could be made for subject ${subject}: the current key-encryption key keeps changing`);
    },
    erase: async (...subjects) => {
      const forget = () => subjects.forEach((subject) => cache.delete(subject));
      forget();
      await ask({ text: ERASE, values: [[...new Set(subjects)]] });
      forget();
    },
  };
};
