import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

import { CannotStart, getErrorCode } from '../../platform/cannot-start.ts';
import { syncDirectory } from '../../platform/data-dir.ts';
import { withClient } from '../../platform/postgres/postgres-client.ts';
import { keyEncryptionKey, KeyNotUnwrapped, unwrapKey, wrapKey, type KeyEncryptionKey, type Keyring } from './key-encryption.ts';
import { HASHES } from './sealed-rows.ts';
import { KEY_FILE, readOrCreateKey, NEXT_KEY_FILE, openKeyring, registeredKeys, type KeyConfig } from './keyring.ts';

const BATCH = 1_000;

type Row = { subject: string; key: Buffer; wrapped_by: string };

const NEXT_BATCH = `select subject, key, wrapped_by from shop.subject_keys
  where subject > $1 and key is not null and wrapped_by <> $2 order by subject limit ${BATCH}`;
/** Replaces a key only if the old one is unchanged, so that a key erased meanwhile stays erased. */
const REPLACE = `update shop.subject_keys as kept set key = new.key, wrapped_by = $4
  from unnest($1::text[], $2::bytea[], $3::bytea[]) as new (subject, old, key) where kept.subject = new.subject and kept.key = new.old`;

/** Returns the key wrapped with `to`, or undefined if it is damaged. */
const rewrapKey = (keyring: Pick<Keyring, 'find'>, to: KeyEncryptionKey, { subject, key, wrapped_by }: Row): Buffer | undefined => {
  try {
    return wrapKey(to, subject, unwrapKey(keyring, wrapped_by, subject, key));
  } catch (error) {
    if (!(error instanceof KeyNotUnwrapped) || !keyring.find(wrapped_by)) throw error;
    return undefined;
  }
};

/**
 * Wraps all keys with `to` that it has not wrapped yet, in commits of a thousand, so that it may be interrupted and repeated. Damaged keys
 * are left as they are.
 */
const rewrapAll = async (
  db: Pick<pg.ClientBase, 'query'>,
  keyring: Pick<Keyring, 'find'>,
  to: KeyEncryptionKey,
  damaged: Set<string>,
  onProgress: (keys: number) => void,
): Promise<number> => {
  let count = 0;
  for (let after = ''; ;) {
    const { rows } = await db.query<Row>(NEXT_BATCH, [after, to.id]);
    const last = rows.at(-1);
    if (!last) return count;
    const whole = rows.flatMap((row) => {
      const wrapped = rewrapKey(keyring, to, row);
      if (!wrapped) damaged.add(row.subject);
      return wrapped ? [{ ...row, wrapped }] : [];
    });
    const [subjects, old] = [whole.map(({ subject }) => subject), whole.map(({ key }) => key)];
    await db.query(REPLACE, [subjects, old, whole.map(({ wrapped }) => wrapped), to.id]);
    onProgress((count += whole.length));
    after = last.subject;
  }
};

const ERASE_DAMAGED = `update shop.subject_keys set key = null, wrapped_by = null, erased_at = now()
  where subject = any($1) and wrapped_by <> $2`;

const MOST_NAMED = 20;

const describeDamaged = (subjects: readonly string[], rewrapped: number): string => {
  const more = subjects.length > MOST_NAMED ? ` and ${subjects.length - MOST_NAMED} more` : '';
  return `Damaged keys: ${subjects.slice(0, MOST_NAMED).join(', ')}${more}. ${rewrapped} other keys are rewrapped, but the old key-encryption key stays until these are restored from a backup of keys, or given up with --erase-damaged.`;
};

const LOCK = `hashtext('shop.subject_keys are wrapped anew')`;

/** Takes a lock that is held until the connection ends. Returns false if another connection holds it. */
const tryLock = async (db: Pick<pg.ClientBase, 'query'>): Promise<boolean> => {
  const { rows } = await db.query<{ locked: boolean }>(`select pg_try_advisory_lock(${LOCK}) as locked`);
  return rows[0]?.locked === true;
};

const FOREIGN_KEY_VIOLATION = '23503';

/** Deletes all other key-encryption keys. Returns false while one of them wraps a key, which a foreign key prevents. */
const dropOthers = async (db: Pick<pg.ClientBase, 'query'>, { id }: KeyEncryptionKey): Promise<boolean> => {
  try {
    await db.query('delete from shop.key_encryption_keys where id <> $1', [id]);
    return true;
  } catch (error) {
    if (getErrorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return false;
  }
};

const makeCurrent = async (client: pg.Client, { id }: KeyEncryptionKey): Promise<void> => {
  await client.query('begin');
  await client.query('update shop.key_encryption_keys set is_current = false where id <> $1 and is_current', [id]);
  await client.query(
    'insert into shop.key_encryption_keys (id, is_current) values ($1, true) on conflict (id) do update set is_current = true',
    [id],
  );
  await client.query('commit');
};

/** Returns KEY_ENCRYPTION_KEY, or else the key of an unfinished rotation in DATA_DIR, or a new one there. */
const nextKey = async (db: Pick<pg.ClientBase, 'query'>, { dataDir, keyEncryptionKey: bytes }: KeyConfig): Promise<KeyEncryptionKey> => {
  if (!bytes) return readOrCreateKey(dataDir, NEXT_KEY_FILE);
  const key = keyEncryptionKey(bytes);
  const registered = await registeredKeys(db);
  if (registered.every(({ id }) => id === key.id))
    throw new CannotStart(
      'All keys are wrapped by KEY_ENCRYPTION_KEY. To rotate: make another one (openssl rand -base64 32), start every process with it as KEY_ENCRYPTION_KEY and with the old one as KEY_ENCRYPTION_KEY_PREVIOUS, and run this again.',
    );
  return key;
};

/** Replaces the old key in DATA_DIR by the new one; a key from the environment is not stored. */
const tidyDataDir = async ({ dataDir, keyEncryptionKey: bytes }: KeyConfig): Promise<void> => {
  const [kept, next] = [path.join(dataDir, KEY_FILE), path.join(dataDir, NEXT_KEY_FILE)];
  if (bytes) {
    await rm(kept, { force: true });
    await rm(next, { force: true });
    return;
  }
  await rename(next, kept);
  await syncDirectory(dataDir);
};

const HASHES_DAMAGED =
  'The key by which accounts are found is damaged, and is not erased: without it nobody could sign in. Restore it from a backup of the keys.';

export type Rotated = { readonly id: string; readonly keys: number; readonly erased: readonly string[] };

export type RotationOptions = { readonly erasesDamaged?: boolean; readonly onProgress?: (keys: number) => void };

/**
 * Replaces all key-encryption keys by a new one while the shop runs: it becomes current, every key is wrapped with it, and the others are
 * deleted from the database and from DATA_DIR. An interrupted rotation continues when it is run again. A damaged key, which decrypts
 * nothing, is left with the key that wraps it, and the rotation ends with a `CannotStart` that names it; with `erasesDamaged` it is erased,
 * unless it is the key by which accounts are found.
 * Throws `CannotStart`.
 */
export const rotateKeys = async (
  connectionString: string,
  config: KeyConfig,
  { erasesDamaged = false, onProgress = () => {} }: RotationOptions = {},
): Promise<Rotated> => {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: 'keys' });
  const erased: string[] = [];
  const rotate = async (client: pg.Client): Promise<Rotated> => {
    if (!(await tryLock(client))) throw new CannotStart('Another process is rewrapping the keys: wait until it has finished.');
    const keyring = await openKeyring(pool, config);
    const to = await nextKey(client, config);
    await makeCurrent(client, to);
    await keyring.refresh();
    const damaged = new Set<string>();
    let keys = 0;
    do {
      damaged.clear();
      keys += await rewrapAll(client, keyring, to, damaged, (count) => onProgress(keys + count));
      if (damaged.size > 0 && !erasesDamaged) throw new CannotStart(describeDamaged([...damaged], keys));
      if (damaged.has(HASHES)) throw new CannotStart(HASHES_DAMAGED);
      await client.query(ERASE_DAMAGED, [[...damaged], to.id]);
      erased.push(...damaged);
    } while (!(await dropOthers(client, to)));
    await tidyDataDir(config);
    return { id: to.id, keys, erased };
  };
  return withClient({ connectionString, application_name: 'keys' }, rotate).finally(() => pool.end());
};
