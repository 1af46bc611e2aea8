import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

import { freshDatabase } from '../../testing/database-per-test.ts';
import { keyEncryptionKey, createKeyring, testKeyring } from '../../testing/test-keyring.ts';
import { keyEncryptionKey as named, KeyNotUnwrapped } from '../encryption/key-encryption.ts';
import { openKeyring } from '../encryption/keyring.ts';
import { postgresSubjectKeys } from './postgres-subject-keys.ts';
import { SubjectErased } from '../encryption/subject-keys.ts';

const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 8 });
const keyring = await openKeyring(pool, { dataDir: '/nowhere', keyEncryptionKey });
afterAll(() => pool.end());

test("many processes that request a subject's first key at once get the same key", async () => {
  const subject = crypto.randomUUID();
  const keys = await Promise.all(Array.from({ length: 16 }, () => postgresSubjectKeys(pool, keyring).keyFor(subject)));
  expect(new Set(keys.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1);
  expect(keys[0]?.bytes).toHaveLength(32);
});

test('an erased key is gone and never made again', async () => {
  const [mine, theirs] = [postgresSubjectKeys(pool, keyring), postgresSubjectKeys(pool, keyring)];
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

test('a subject erased before it had a key never gets one', async () => {
  const keys = postgresSubjectKeys(pool, keyring);
  const subject = crypto.randomUUID();
  await keys.erase(subject);
  await expect(keys.keyFor(subject)).rejects.toThrow(SubjectErased);
});

test('another process forgets an erased key within a second', async () => {
  let clock = 1_000;
  const [mine, theirs] = [postgresSubjectKeys(pool, keyring), postgresSubjectKeys(pool, keyring, () => clock)];
  const subject = crypto.randomUUID();
  const key = await theirs.keyFor(subject);
  await mine.erase(subject);
  expect(await theirs.keysOf([subject])).toEqual(new Map([[subject, key]]));
  clock += 1_000;
  expect(await theirs.keysOf([subject])).toEqual(new Map());
});

test('the database has no plain key, and no key that decrypts with another key-encryption key', async () => {
  const subject = crypto.randomUUID();
  const { bytes } = await postgresSubjectKeys(pool, keyring).keyFor(subject);
  const { rows } = await pool.query<{ key: Buffer }>('select key from shop.subject_keys where subject = $1', [subject]);
  expect(rows[0]?.key).toHaveLength(60);
  expect(rows[0]?.key.includes(bytes)).toBe(false);
  const stranger = createKeyring(named(Buffer.alloc(32, 'another')));
  await expect(postgresSubjectKeys(pool, stranger).keysOf([subject])).rejects.toThrow(KeyNotUnwrapped);
  const impostor = createKeyring({ id: testKeyring.current().id, bytes: Buffer.alloc(32, 'another') });
  expect((await postgresSubjectKeys(pool, impostor).keysOf([subject])).get(subject)?.bytes).toHaveLength(0);
});

test('a key that was moved to another subject decrypts nothing, and other keys stay readable', async () => {
  const [meera, ravi] = [crypto.randomUUID(), crypto.randomUUID()];
  const key = await postgresSubjectKeys(pool, keyring).keyFor(meera);
  await postgresSubjectKeys(pool, keyring).keyFor(ravi);
  await pool.query(`update shop.subject_keys set key = (select key from shop.subject_keys where subject = $1) where subject = $2`, [
    meera,
    ravi,
  ]);
  const keys = await postgresSubjectKeys(pool, keyring).keysOf([meera, ravi]);
  expect(keys.get(meera)).toEqual(key);
  expect(keys.get(ravi)?.bytes).toHaveLength(0);
  await expect(postgresSubjectKeys(pool, keyring).keyFor(ravi)).rejects.toThrow(KeyNotUnwrapped);
});

test('no key is made with a key-encryption key that is not current', async () => {
  const subject = crypto.randomUUID();
  const outdated = createKeyring(named(Buffer.alloc(32, 'outdated')));
  await expect(postgresSubjectKeys(pool, outdated).keyFor(subject)).rejects.toThrow(/keeps changing/);
  const { rows } = await pool.query('select from shop.subject_keys where subject = $1', [subject]);
  expect(rows).toEqual([]);
});
