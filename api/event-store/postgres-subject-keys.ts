import type pg from 'pg';

import { gathered } from '../gathered.ts';
import { TtlCache } from '../ttl-cache.ts';
import { persistently } from './postgres-connections.ts';
import { newSubjectKey, REMEMBERED_FOR, SubjectErased, type SubjectKey, type SubjectKeys } from './subject-keys.ts';

const CACHE_SIZE = 10_000;
/** So many look for keys by one query: few enough that nobody waits long for those of the others. */
const AT_ONCE = 32;
/** All that is asked here may be asked twice; after so long it is `EventStoreUnavailable`, in ms. */
const ANSWER_WITHIN = 5_000;

type Row = { subject: string; key: SubjectKey | null };

/**
 * The keys of these, made where there are none. The first insert wins, in whatever process, and one that wins in this very moment is not
 * seen; the row of an erased subject stands in the way of a new key for ever.
 */
const ENSURE = `with wanted as (select * from unnest($1::text[], $2::bytea[]) as w (subject, key)),
    made as (insert into shop.subject_keys (subject, key) select subject, key from wanted order by subject
      on conflict (subject) do nothing returning subject, key)
  select subject, key from made union all select subject, key from shop.subject_keys where subject = any($1)`;
const FIND = 'select subject, key from shop.subject_keys where subject = any($1::text[])';
const ERASE = `insert into shop.subject_keys (subject, erased_at) select subject, now() from unnest($1::text[]) as erased (subject)
  on conflict (subject) do update set key = null, erased_at = coalesce(subject_keys.erased_at, excluded.erased_at)`;

/** The keys in Postgres, table `shop.subject_keys`, the latest `most` of them in memory for half a second. */
export const postgresSubjectKeys = (
  pool: Pick<pg.Pool, 'query'>,
  now: () => number = () => performance.now(),
  most = CACHE_SIZE,
): SubjectKeys => {
  const ask = (query: pg.QueryConfig) => persistently(ANSWER_WITHIN, () => pool.query<Row>(query));
  const cache = new TtlCache<SubjectKey>({ lasts: REMEMBERED_FOR, most, now });

  /** What many look for at once is one query. */
  const find = gathered(async (wanted: readonly (readonly string[])[]): Promise<readonly ReadonlyMap<string, SubjectKey>[]> => {
    const asked = now();
    const { rows } = await ask({ name: 'find-subject-keys', text: FIND, values: [[...new Set(wanted.flat())]] });
    const keys = new Map<string, SubjectKey>();
    for (const { subject, key } of rows) {
      if (!key) continue;
      keys.set(subject, key);
      cache.set(subject, key, asked);
    }
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
   * erased, undefined when another process made it this very moment.
   */
  const ensure = gathered(async (wanted: readonly string[]): Promise<readonly (SubjectKey | null | undefined)[]> => {
    const subjects = [...new Set(wanted)];
    const asked = now();
    const { rows } = await ask({ name: 'ensure-subject-keys', text: ENSURE, values: [subjects, subjects.map(newSubjectKey)] });
    const keys = new Map(rows.map(({ subject, key }) => [subject, key]));
    for (const [subject, key] of keys) if (key) cache.set(subject, key, asked);
    return wanted.map((subject) => keys.get(subject));
  });

  return {
    keysOf,
    keyFor: async (subject) => {
      const known = cache.get(subject);
      if (known) return known;
      const made = await ensure(subject);
      const key = made === undefined ? (await keysOf([subject])).get(subject) : made;
      if (!key) throw new SubjectErased(subject);
      return key;
    },
    erase: async (...subjects) => {
      const forget = () => subjects.forEach((subject) => cache.delete(subject));
      forget();
      await ask({ text: ERASE, values: [[...new Set(subjects)]] });
      forget();
    },
  };
};
