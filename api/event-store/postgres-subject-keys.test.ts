import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { postgresSubjectKeys } from './postgres-subject-keys.ts';
import { SubjectErased } from './subject-keys.ts';
import { freshDatabase } from '../testing/database.ts';

const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 8 });
afterAll(() => pool.end());

test('many processes that want the first key of somebody at once get the same one', async () => {
  const subject = crypto.randomUUID();
  const keys = await Promise.all(Array.from({ length: 16 }, () => postgresSubjectKeys(pool).keyFor(subject)));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
});

test('an erased key is gone and never comes back', async () => {
  const [mine, theirs] = [postgresSubjectKeys(pool), postgresSubjectKeys(pool)];
  const [meera, ravi] = [crypto.randomUUID(), crypto.randomUUID()];
  const raviKey = await mine.keyFor(ravi);
  await mine.keyFor(meera);
  await mine.erase(meera);
  await mine.erase(meera);
  expect(await theirs.keysOf([meera, ravi])).toEqual(new Map([[ravi, raviKey]]));
  expect(await mine.keysOf([meera])).toEqual(new Map());
  await expect(mine.keyFor(meera)).rejects.toThrow(new SubjectErased(meera));
  await expect(theirs.keyFor(meera)).rejects.toThrow(SubjectErased);
});

test('somebody erased before they had a key never gets one', async () => {
  const keys = postgresSubjectKeys(pool);
  const subject = crypto.randomUUID();
  await keys.erase(subject);
  await expect(keys.keyFor(subject)).rejects.toThrow(SubjectErased);
});

test('another process forgets an erased key within a second', async () => {
  let clock = 0;
  const [mine, theirs] = [postgresSubjectKeys(pool), postgresSubjectKeys(pool, () => clock)];
  const subject = crypto.randomUUID();
  const key = await theirs.keyFor(subject);
  await mine.erase(subject);
  expect(await theirs.keysOf([subject])).toEqual(new Map([[subject, key]]));
  clock += 1_000;
  expect(await theirs.keysOf([subject])).toEqual(new Map());
});
