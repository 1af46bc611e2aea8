import type pg from 'pg';

import { CannotStart } from '../../platform/cannot-start.ts';
import { prepareDataDir, readSecret, readOrCreateSecret } from '../../platform/data-dir.ts';
import { BASE64_KEY, keyEncryptionKey, type KeyEncryptionKey, type Keyring } from './key-encryption.ts';

export type KeyConfig = {
  readonly dataDir: string;
  readonly keyEncryptionKey?: Buffer | undefined;
  readonly previousKeyEncryptionKey?: Buffer | undefined;
};

/** These files in DATA_DIR have the generated key, and its successor during a rotation. */
export const KEY_FILE = 'key-encryption-key';
export const NEXT_KEY_FILE = 'key-encryption-key-next';

const keyFrom = (text: string, file: string): KeyEncryptionKey => {
  if (!BASE64_KEY.test(text)) throw new CannotStart(`${file} in DATA_DIR does not hold a key of 32 bytes as base64.`);
  return keyEncryptionKey(Buffer.from(text, 'base64'));
};

const keyInFile = async (dataDir: string, file: string): Promise<KeyEncryptionKey | undefined> => {
  const text = await readSecret(dataDir, file);
  return text === undefined ? undefined : keyFrom(text, file);
};

/** Reads the key, and generates it if the file does not exist. */
export const readOrCreateKey = async (dataDir: string, file: string): Promise<KeyEncryptionKey> => {
  await prepareDataDir(dataDir);
  return keyFrom(await readOrCreateSecret(dataDir, file), file);
};

/** Returns all keys that are configured for this process, by id. Generates none. */
export const givenKeys = async ({
  dataDir,
  keyEncryptionKey: fromEnvironment,
  previousKeyEncryptionKey: previous,
}: KeyConfig): Promise<ReadonlyMap<string, KeyEncryptionKey>> => {
  // The next key's file is read first, because a rotation may rename it in between.
  const next = await keyInFile(dataDir, NEXT_KEY_FILE);
  const kept = await keyInFile(dataDir, KEY_FILE);
  const fromOutside = [fromEnvironment, previous].flatMap((bytes) => (bytes ? [keyEncryptionKey(bytes)] : []));
  return new Map([...fromOutside, next, kept].flatMap((key) => (key ? [[key.id, key]] : [])));
};

type Registered = { id: string; is_current: boolean };

export const registeredKeys = async (db: Pick<pg.Pool, 'query'>): Promise<readonly Registered[]> => {
  const { rows } = await db.query<Registered>('select id, is_current from shop.key_encryption_keys order by id');
  return rows;
};

/** Registers the first key, unless another process has done so already. */
const registerFirst = async (pool: pg.Pool, { id }: KeyEncryptionKey): Promise<void> => {
  await pool.query('insert into shop.key_encryption_keys (id, is_current) values ($1, true) on conflict do nothing', [id]);
};

/** Messages name these places where keys are looked for. */
export const KEY_LOCATIONS = `KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_PREVIOUS and DATA_DIR/${KEY_FILE}`;

/**
 * Opens the keys from the environment and DATA_DIR. The database says which one wraps new keys, the same for all processes. A new database
 * takes the environment's key, or else a generated one in DATA_DIR. Throws `CannotStart` if keys are wrapped by one that is not available.
 */
export const openKeyring = async (pool: pg.Pool, config: KeyConfig): Promise<Keyring> => {
  const keys = new Map<string, KeyEncryptionKey>();
  let current: KeyEncryptionKey | undefined;

  /** Keeps keys seen earlier, since rows just read may still be wrapped by them. Returns the id of a missing key, if any. */
  const learn = async (): Promise<string | undefined> => {
    const registered = await registeredKeys(pool);
    for (const [id, key] of await givenKeys(config)) keys.set(id, key);
    const id = registered.find(({ is_current }) => is_current)?.id;
    current = id === undefined ? undefined : (keys.get(id) ?? current);
    return registered.find((each) => !keys.has(each.id))?.id;
  };

  if ((await registeredKeys(pool)).length === 0) {
    const { keyEncryptionKey: bytes, dataDir } = config;
    await registerFirst(pool, bytes ? keyEncryptionKey(bytes) : await readOrCreateKey(dataDir, KEY_FILE));
  }
  const missing = await learn();
  if (missing !== undefined)
    throw new CannotStart(
      `The keys of personal data are wrapped by the key-encryption key ${missing}, which is not among ${KEY_LOCATIONS}: put it back. Without it no personal data can be read.`,
    );

  return {
    current: () => {
      if (!current) throw new Error('No key-encryption key is current');
      return current;
    },
    find: (id) => keys.get(id),
    refresh: async () => void (await learn()),
  };
};
