import type pg from 'pg';
import { persistently } from './postgres-connections.ts';
import { newSubjectKey, SubjectErased, type SubjectKey, type SubjectKeys } from './subject-keys.ts';

/** For so long a process may go on using a key that another process erased, in ms. */
const CACHED_FOR = 500;
const CACHE_SIZE = 10_000;
/** All that is asked here may be asked twice; after so long it is `EventStoreUnavailable`, in ms. */
const ANSWER_WITHIN = 5_000;

type Row = { subject: string; key: SubjectKey | null };

/** The first insert wins, in whatever process; the row of an erased subject stands in the way of a new key for ever. */
const CREATE = 'insert into shop.subject_keys (subject, key) values ($1, $2) on conflict (subject) do nothing';
const FIND = 'select subject, key from shop.subject_keys where subject = any($1::text[])';
const ERASE = `insert into shop.subject_keys (subject, erased_at) values ($1, now())
  on conflict (subject) do update set key = null, erased_at = coalesce(subject_keys.erased_at, excluded.erased_at)`;

/** The keys in Postgres, table `shop.subject_keys`, the latest of them in memory for half a second. */
export const postgresSubjectKeys = (pool: Pick<pg.Pool, 'query'>, now: () => number = () => performance.now()): SubjectKeys => {
  const ask = (query: pg.QueryConfig) => persistently(ANSWER_WITHIN, () => pool.query<Row>(query));
  const cache = new Map<string, { key: SubjectKey; until: number }>();

  const cached = (subject: string): SubjectKey | undefined => {
    const entry = cache.get(subject);
    if (entry && entry.until > now()) return entry.key;
    cache.delete(subject);
    return undefined;
  };

  const remember = (subject: string, key: SubjectKey, asked: number): void => {
    cache.delete(subject);
    cache.set(subject, { key, until: asked + CACHED_FOR });
    const [oldest] = cache.keys();
    if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  };

  const keysOf = async (subjects: readonly string[]): Promise<Map<string, SubjectKey>> => {
    const found = new Map<string, SubjectKey>();
    const unknown: string[] = [];
    for (const subject of subjects) {
      const key = cached(subject);
      if (key) found.set(subject, key);
      else unknown.push(subject);
    }
    if (unknown.length === 0) return found;
    const asked = now();
    const { rows } = await ask({ name: 'find-subject-keys', text: FIND, values: [unknown] });
    for (const { subject, key } of rows) {
      if (!key) continue;
      found.set(subject, key);
      remember(subject, key, asked);
    }
    return found;
  };

  return {
    keysOf,
    keyFor: async (subject) => {
      const known = (await keysOf([subject])).get(subject);
      if (known) return known;
      await ask({ name: 'create-subject-key', text: CREATE, values: [subject, newSubjectKey()] });
      const made = (await keysOf([subject])).get(subject);
      if (!made) throw new SubjectErased(subject);
      return made;
    },
    erase: async (subject) => {
      cache.delete(subject);
      await ask({ text: ERASE, values: [subject] });
      cache.delete(subject);
    },
  };
};
