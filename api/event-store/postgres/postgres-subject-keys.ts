import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { batcher } from '../../platform/batcher.ts';
import { KeyNotUnwrapped, unwrapKey, wrapKey, type Keyring } from '../encryption/key-encryption.ts';
import { retryUntilTimeout } from './postgres-connections.ts';
import {
  newKeyBytes,
  CACHED_FOR,
  DAMAGED,
  SubjectErased,
  type JoinedSubjectKeys,
  type SubjectKey,
  type WrappedKey,
} from '../encryption/subject-keys.ts';

const CACHE_SIZE = 10_000;
/** Larger batches would delay the other callers. */
const AT_ONCE = 32;
/** Calls throw `EventStoreUnavailable` after this many ms. All queries here are idempotent. */
const ANSWER_WITHIN = 5_000;
/** Making a key is tried this often, because the current key-encryption key may change meanwhile. */
const ATTEMPTS = 3;

const COLUMNS = 'subject, key, wrapped_by, created_at';
/**
 * Finds these keys and makes the missing ones. The first insert wins; a key committed concurrently is not in the result. The row of an
 * erased subject prevents a new key for ever. Only the current key-encryption key makes keys, so that a rotation misses none.
 */
const ENSURE = `with wanted as (select * from unnest($1::text[], $2::bytea[]) as w (subject, key)),
    made as (insert into shop.subject_keys (subject, key, wrapped_by) select subject, key, id
      from wanted, shop.key_encryption_keys where id = $3 and is_current order by subject
      on conflict (subject) do nothing returning ${COLUMNS})
  select ${COLUMNS} from made union all select ${COLUMNS} from shop.subject_keys where subject = any($1)`;
const FIND = `select ${COLUMNS} from shop.subject_keys where subject = any($1::text[])`;
const ERASE = `insert into shop.subject_keys (subject, erased_at) select subject, now() from unnest($1::text[]) as erased (subject)
  on conflict (subject) do update set key = null, wrapped_by = null, erased_at = coalesce(subject_keys.erased_at, excluded.erased_at)`;

/** Keeps wrapped keys in `shop.subject_keys`, and caches recently used ones decrypted for half a second. `now` returns ms above 0. */
export const postgresSubjectKeys = (
  pool: Pick<pg.Pool, 'query'>,
  keyring: Keyring,
  now = (): number => performance.now(),
): JoinedSubjectKeys => {
  const ask = (query: pg.QueryConfig) => retryUntilTimeout(ANSWER_WITHIN, () => pool.query<WrappedKey>(query));
  const cache = new LRUCache<string, SubjectKey>({ max: CACHE_SIZE, ttl: CACHED_FOR, ttlResolution: 0, perf: { now } });

  /** Returns null for an erased key. Throws `KeyNotUnwrapped` if the key-encryption key is not available. */
  const parseKey = ({ subject, key, wrapped_by, created_at }: WrappedKey): SubjectKey | null => {
    if (key === null || wrapped_by === null) return null;
    const madeAt = created_at.getTime();
    try {
      return { bytes: unwrapKey(keyring, wrapped_by, subject, key), madeAt };
    } catch (error) {
      if (!keyring.find(wrapped_by)) throw error;
      return { bytes: DAMAGED, madeAt };
    }
  };

  const unwrapped = async (rows: readonly WrappedKey[], asked: number): Promise<Map<string, SubjectKey | null>> => {
    // Another process may have started a rotation.
    if (rows.some(({ wrapped_by }) => wrapped_by !== null && !keyring.find(wrapped_by))) await keyring.refresh();
    const keys = new Map(rows.map((row) => [row.subject, parseKey(row)]));
    for (const [subject, key] of keys) if (key && key.bytes !== DAMAGED) cache.set(subject, key, { start: asked });
    return keys;
  };

  /** Concurrent look-ups share one query. */
  const find = batcher(async (wanted: readonly (readonly string[])[]): Promise<readonly ReadonlyMap<string, SubjectKey | null>[]> => {
    const asked = now();
    const { rows } = await ask({ name: 'find-subject-keys', text: FIND, values: [[...new Set(wanted.flat())]] });
    const keys = await unwrapped(rows, asked);
    return wanted.map(() => keys);
  }, AT_ONCE);

  const findKeys = async (subjects: readonly string[]): Promise<Map<string, SubjectKey>> => {
    const cached = new Map(subjects.map((subject) => [subject, cache.get(subject)]));
    const unknown = subjects.filter((subject) => !cached.get(subject));
    const found = unknown.length === 0 ? cached : await find(unknown);
    const keys = subjects.map((subject) => [subject, cached.get(subject) ?? found.get(subject)] as const);
    return new Map(keys.filter((entry): entry is [string, SubjectKey] => Boolean(entry[1])));
  };

  /**
   * Makes keys in batches, since under load nearly every order has a new subject. The result is `null` for an erased key, and undefined if
   * another process is making it now or the current key-encryption key has changed.
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
    keysOf: findKeys,
    keyFor: async (subject) => {
      const known = cache.get(subject);
      if (known) return known;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const key = await ensure(subject);
        if (key === null) throw new SubjectErased(subject);
        if (key?.bytes === DAMAGED) throw new KeyNotUnwrapped(`The key of subject ${subject} is damaged`);
        if (key) return key;
      }
      throw new Error(`No key could be made for subject ${subject}: the current key-encryption key keeps changing`);
    },
    accept: async (joined, asked) => {
      const unknown = joined.filter(({ subject }) => !cache.has(subject));
      if (unknown.length > 0) await unwrapped(unknown, asked);
    },
    erase: async (...subjects) => {
      const forget = () => subjects.forEach((subject) => cache.delete(subject));
      forget();
      await ask({ text: ERASE, values: [[...new Set(subjects)]] });
      forget();
    },
  };
};
