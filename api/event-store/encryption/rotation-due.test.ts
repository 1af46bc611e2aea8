import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { freshDatabase } from '../../testing/database-per-test.ts';
import { postgresSubjectKeys } from '../postgres/postgres-subject-keys.ts';
import { openKeyring, type KeyConfig } from './keyring.ts';
import { isRotationDue, rotateWhenDue } from './rotation-due.ts';

let dataDir: string;
let connectionString: string;
let pool: pg.Pool;
let said: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-rotation-'));
  connectionString = await freshDatabase();
  pool = new pg.Pool({ connectionString, max: 4 });
  said = [];
});
afterEach(async () => {
  await pool.end();
  await rm(dataDir, { recursive: true });
});

const DAYS = 30;
const log = {
  info: (...told: unknown[]) => void said.push(String(told.at(-1))),
  warn: (...told: unknown[]) => void said.push(String(told.at(-1))),
};
const openKeys = async (config: KeyConfig) => postgresSubjectKeys(pool, await openKeyring(pool, config));
const makeOlder = (days: number) =>
  pool.query('update shop.key_encryption_keys set added_at = added_at - make_interval(days => $1)', [days]);
const rotate = (config: KeyConfig) => rotateWhenDue({ pool, connectionString, config, days: DAYS, log });
const currentId = async () => (await pool.query<{ id: string }>('select id from shop.key_encryption_keys')).rows.map(({ id }) => id);

test('a generated key is replaced when it is old and a key was erased since, and not before', async () => {
  const config = { dataDir };
  const keys = await openKeys(config);
  await keys.keyFor('meera');
  await keys.keyFor('ravi');
  const before = await currentId();
  await makeOlder(DAYS + 1);
  expect(await isRotationDue(pool, DAYS)).toBe(false);
  await keys.erase('meera');
  const { rows: old } = await pool.query<{ key: Buffer }>('select key from shop.subject_keys where key is not null');
  const oldFile = await readFile(path.join(dataDir, 'key-encryption-key'), 'utf8');
  expect(await isRotationDue(pool, DAYS)).toBe(true);
  await rotate(config);
  expect(await currentId()).not.toEqual(before);
  expect(await readFile(path.join(dataDir, 'key-encryption-key'), 'utf8')).not.toBe(oldFile);
  expect((await pool.query('select key from shop.subject_keys where key is not null')).rows).not.toEqual(old);
  expect(said).toEqual([expect.stringMatching(/^The key-encryption key was replaced/)]);
  expect(await isRotationDue(pool, DAYS)).toBe(false);
  const after = await currentId();
  await rotate(config);
  expect(await currentId()).toEqual(after);
  expect([...(await (await openKeys(config)).keysOf(['meera', 'ravi'])).keys()]).toEqual(['ravi']);
});

test('a young key is not replaced after an erasure', async () => {
  const keys = await openKeys({ dataDir });
  await keys.erase('meera');
  await makeOlder(DAYS - 1);
  expect(await isRotationDue(pool, DAYS)).toBe(false);
});

test('a rotation that was interrupted is finished', async () => {
  const keys = await openKeys({ dataDir });
  await keys.keyFor('meera');
  await pool.query(`insert into shop.key_encryption_keys (id, is_current) values ('unused', false)`);
  expect(await isRotationDue(pool, DAYS)).toBe(true);
});

test('a key in the environment is not replaced, and the log says what to do', async () => {
  const config = { dataDir, keyEncryptionKey: Buffer.alloc(32, 7) };
  const keys = await openKeys(config);
  await keys.erase('meera');
  await makeOlder(DAYS + 1);
  const before = await currentId();
  await rotate(config);
  expect(await currentId()).toEqual(before);
  expect(said).toEqual([expect.stringMatching(/^A rotation of KEY_ENCRYPTION_KEY is due/)]);
});
