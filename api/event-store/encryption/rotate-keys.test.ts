import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { CannotStart } from '../../platform/cannot-start.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { keyEncryptionKey } from './key-encryption.ts';
import { openKeyring, type KeyConfig } from './keyring.ts';
import { postgresSubjectKeys } from '../postgres/postgres-subject-keys.ts';
import { rotateKeys } from './rotate-keys.ts';
import { HASHES } from './sealed-rows.ts';

let dataDir: string;
let connectionString: string;
let pool: pg.Pool;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-keys-'));
  connectionString = await freshDatabase();
  pool = new pg.Pool({ connectionString, max: 6 });
});
afterEach(async () => {
  await pool.end();
  await rm(dataDir, { recursive: true });
});

/** Opens keys whose cache has always expired. */
const openKeys = async (config: KeyConfig = { dataDir }) => {
  let clock = 0;
  return postgresSubjectKeys(pool, await openKeyring(pool, config), () => (clock += 1_000));
};
const subjects = Array.from({ length: 1_200 }, (_, index) => `subject-${String(index).padStart(4, '0')}`);
const bytesOf = async (keys: ReturnType<typeof postgresSubjectKeys>, wanted = subjects) =>
  [...(await keys.keysOf(wanted))].map(([subject, { bytes }]) => [subject, bytes.toString('hex')]).toSorted();
const rotate = (config: KeyConfig = { dataDir }, onProgress: (keys: number) => void = () => {}) =>
  rotateKeys(connectionString, config, { onProgress });
const wrappedBy = async (): Promise<readonly unknown[]> => {
  const { rows } = await pool.query('select wrapped_by, count(*)::integer as keys from shop.subject_keys where key is not null group by 1');
  return rows;
};

describe('the first key-encryption key', () => {
  test('is made and stored in DATA_DIR, in a file that only its owner can read', async () => {
    await (await openKeys()).keyFor('meera');
    expect((await stat(path.join(dataDir, 'key-encryption-key'))).mode & 0o777).toBe(0o600);
    expect(await bytesOf(await openKeys(), ['meera'])).toHaveLength(1);
  });

  test('is that of the environment, if set', async () => {
    await openKeys({ dataDir, keyEncryptionKey: Buffer.alloc(32, 1) });
    expect(await readdir(dataDir)).toEqual([]);
    await openKeys({ dataDir, keyEncryptionKey: Buffer.alloc(32, 1) });
  });

  test('is the same for processes that start at once, and a process with another key does not start', async () => {
    await Promise.all(Array.from({ length: 5 }, () => openKeys()));
    const other = openKeys({ dataDir: '/nowhere', keyEncryptionKey: Buffer.alloc(32, 2) });
    await expect(other).rejects.toThrow(CannotStart);
    await expect(other).rejects.toThrow(/key-encryption key [0-9a-f]{16}, which is not among KEY_ENCRYPTION_KEY/);
  });

  test('stops the start when it is missing, and is not replaced by another', async () => {
    await openKeys();
    await rm(path.join(dataDir, 'key-encryption-key'));
    await expect(openKeys()).rejects.toThrow(CannotStart);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('stops the start when it is damaged', async () => {
    await openKeys();
    await writeFile(path.join(dataDir, 'key-encryption-key'), 'half a k');
    await expect(openKeys()).rejects.toThrow('key-encryption-key in DATA_DIR does not hold a key of 32 bytes as base64.');
  });
});

describe('a rotation', () => {
  const subjectsWithKeys = async () => {
    const keys = await openKeys();
    await Promise.all(subjects.map((subject) => keys.keyFor(subject)));
    return { running: keys, before: await bytesOf(keys) };
  };

  test('wraps every key again while processes continue to run, and deletes the old key-encryption key', async () => {
    const { running, before } = await subjectsWithKeys();
    const old = await readFile(path.join(dataDir, 'key-encryption-key'), 'utf8');
    const progress: number[] = [];
    const { id, keys } = await rotate({ dataDir }, (count) => progress.push(count));
    expect(progress).toEqual([1_000, 1_200]);
    expect(keys).toBe(1_200);
    expect(await wrappedBy()).toEqual([{ wrapped_by: id, keys: 1_200 }]);
    expect(await readdir(dataDir)).toEqual(['key-encryption-key']);
    expect(await readFile(path.join(dataDir, 'key-encryption-key'), 'utf8')).not.toBe(old);
    expect(await bytesOf(running)).toEqual(before);
    await running.keyFor('somebody new');
    expect(await bytesOf(await openKeys(), ['somebody new'])).toEqual(await bytesOf(running, ['somebody new']));
    expect(await bytesOf(await openKeys())).toEqual(before);
    expect(await wrappedBy()).toEqual([{ wrapped_by: id, keys: 1_201 }]);
  });

  test('misses no key that is made or erased meanwhile', async () => {
    const { running } = await subjectsWithKeys();
    let made = 0;
    let isOver = false;
    const shoppers = Array.from({ length: 4 }, async () => {
      while (!isOver) await running.keyFor(`new-${made++}`);
    });
    const erased = subjects.slice(0, 50);
    const [{ id }] = await Promise.all([rotate().finally(() => (isOver = true)), running.erase(...erased)]);
    await Promise.all(shoppers);
    expect(await wrappedBy()).toEqual([{ wrapped_by: id, keys: 1_150 + made }]);
    expect(await bytesOf(await openKeys(), erased)).toEqual([]);
    expect(
      await bytesOf(
        await openKeys(),
        Array.from({ length: made }, (_, index) => `new-${index}`),
      ),
    ).toHaveLength(made);
  });

  test('continues with the same key after an interruption', async () => {
    const { before } = await subjectsWithKeys();
    const breaksOff = rotate({ dataDir }, () => {
      throw new Error('killed');
    });
    await expect(breaksOff).rejects.toThrow('killed');
    expect(await wrappedBy()).toHaveLength(2);
    expect(await bytesOf(await openKeys())).toEqual(before);
    const next = await readFile(path.join(dataDir, 'key-encryption-key-next'), 'utf8');
    const { keys } = await rotate();
    expect(keys).toBe(200);
    expect(await readFile(path.join(dataDir, 'key-encryption-key'), 'utf8')).toBe(next);
    expect(await bytesOf(await openKeys())).toEqual(before);
  });

  test('of a key in the environment accepts the previous key beside it, and no other', async () => {
    const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const before = await openKeys({ dataDir, keyEncryptionKey: old });
    await before.keyFor('meera');
    await expect(rotate({ dataDir, keyEncryptionKey: old })).rejects.toThrow(/^All keys are wrapped by KEY_ENCRYPTION_KEY\. To rotate/);
    await expect(rotate({ dataDir, keyEncryptionKey: next })).rejects.toThrow(CannotStart);
    // Both keys are set for processes that run while others are restarted.
    const both = { dataDir, keyEncryptionKey: next, previousKeyEncryptionKey: old };
    const after = await openKeys(both);
    await after.keyFor('ravi');
    expect(await bytesOf(before, ['meera', 'ravi'])).toEqual(await bytesOf(after, ['meera', 'ravi']));
    expect(await rotate(both)).toEqual({ id: keyEncryptionKey(next).id, keys: 2, erased: [] });
    expect(await bytesOf(await openKeys({ dataDir, keyEncryptionKey: next }), ['meera', 'ravi'])).toEqual(
      await bytesOf(after, ['meera', 'ravi']),
    );
  });

  test('moves the key from DATA_DIR into the environment', async () => {
    await (await openKeys()).keyFor('meera');
    await rotate({ dataDir, keyEncryptionKey: Buffer.alloc(32, 2) });
    expect(await readdir(dataDir)).toEqual([]);
    expect(await bytesOf(await openKeys({ dataDir, keyEncryptionKey: Buffer.alloc(32, 2) }), ['meera'])).toHaveLength(1);
  });

  test('leaves a damaged key, names it and fails, and erases it if told so', async () => {
    const keys = await openKeys();
    for (const subject of ['meera', 'ravi', 'sana']) await keys.keyFor(subject);
    await pool.query(`update shop.subject_keys set key = $1 where subject = 'ravi'`, [Buffer.alloc(60, 'damaged')]);
    await expect(rotate()).rejects.toThrow(/^Damaged keys: ravi\. 2 other keys are rewrapped, .* --erase-damaged\.$/);
    await expect(rotate()).rejects.toThrow(CannotStart);
    expect([...(await (await openKeys()).keysOf(['meera', 'sana'])).keys()]).toEqual(['meera', 'sana']);
    expect(await wrappedBy()).toHaveLength(2);

    const { erased } = await rotateKeys(connectionString, { dataDir }, { erasesDamaged: true });
    expect(erased).toEqual(['ravi']);
    expect(await wrappedBy()).toEqual([{ wrapped_by: expect.any(String), keys: 2 }]);
    await expect((await openKeys()).keyFor('ravi')).rejects.toThrow('was erased');
  });

  test('never erases the key by which accounts are found', async () => {
    await (await openKeys()).keyFor(HASHES);
    await pool.query('update shop.subject_keys set key = $1', [Buffer.alloc(60, 'damaged')]);
    const rotated = rotateKeys(connectionString, { dataDir }, { erasesDamaged: true });
    await expect(rotated).rejects.toThrow('The key by which accounts are found is damaged, and is not erased');
    expect(await wrappedBy()).toMatchObject([{ keys: 1 }]);
  });

  test('runs one at a time', async () => {
    await subjectsWithKeys();
    const results = await Promise.allSettled([rotate(), rotate(), rotate()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
