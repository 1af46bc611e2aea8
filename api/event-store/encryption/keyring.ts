import type pg from 'pg';

import { CannotStart } from '../../platform/cannot-start.ts';
import { prepareDataDir, readSecret, secretIn } from '../../platform/data-dir.ts';
import { BASE64_KEY, keyEncryptionKey, type KeyEncryptionKey, type Keyring } from './key-encryption.ts';

/** Where the shop is told its key-encryption keys. */
export type KeyConfig = {
  readonly dataDir: string;
  readonly keyEncryptionKey?: Buffer | undefined;
  readonly previousKeyEncryptionKey?: Buffer | undefined;
};

/** In DATA_DIR: the key that is made where the environment gives none, and beside it the next one while that takes its place. */
export const KEY_FILE = 'key-encryption-key';
export const NEXT_KEY_FILE = 'key-encryption-key-next';

const keyFrom = (text: string, file: string): KeyEncryptionKey => {
  if (!BASE64_KEY.test(text)) throw new CannotStart(`${file} in DATA_DIR does not hold a key of 32 bytes as base64.`);
  return keyEncryptionKey(Buffer.from(text, 'base64'));
};

/** Undefined when there is no such file. */
const keyInFile = async (dataDir: string, file: string): Promise<KeyEncryptionKey | undefined> => {
  const text = await readSecret(dataDir, file);
  return text === undefined ? undefined : keyFrom(text, file);
};

/** The key in that file, made if there is none. */
export const keyMadeIn = async (dataDir: string, file: string): Promise<KeyEncryptionKey> => {
  await prepareDataDir(dataDir);
  return keyFrom(await secretIn(dataDir, file), file);
};

/** Every key-encryption key that this process was given, by id. Nothing is made. */
export const givenKeys = async ({
  dataDir,
  keyEncryptionKey: fromEnvironment,
  previousKeyEncryptionKey: previous,
}: KeyConfig): Promise<ReadonlyMap<string, KeyEncryptionKey>> => {
  // In this order: the next one may take the other's place between the two.
  const next = await keyInFile(dataDir, NEXT_KEY_FILE);
  const kept = await keyInFile(dataDir, KEY_FILE);
  const fromOutside = [fromEnvironment, previous].flatMap((bytes) => (bytes ? [keyEncryptionKey(bytes)] : []));
  return new Map([...fromOutside, next, kept].flatMap((key) => (key ? [[key.id, key]] : [])));
};

type Registered = { id: string; is_current: boolean };

/** The key-encryption keys by which keys in this database are wrapped. */
export const registeredKeys = async (db: Pick<pg.Pool, 'query'>): Promise<readonly Registered[]> => {
  const { rows } = await db.query<Registered>('select id, is_current from shop.key_encryption_keys order by id');
  return rows;
};

/** The first key of a database; that of another process that was faster stays. */
const registerFirst = async (pool: pg.Pool, { id }: KeyEncryptionKey): Promise<void> => {
  await pool.query('insert into shop.key_encryption_keys (id, is_current) values ($1, true) on conflict do nothing', [id]);
};

/** In words, where a key was looked for. */
export const PLACES = `KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_PREVIOUS and DATA_DIR/${KEY_FILE}`;

/**
 * The key-encryption keys of this shop: those of the environment and of DATA_DIR. Which one wraps new keys stands in the database, so that
 * all processes agree. A database that has none yet takes that of the environment, else one that is made and kept in DATA_DIR. Throws
 * `CannotStart` when keys in the database are wrapped by one that is not here: then none is made.
 */
export const openKeyring = async (pool: pg.Pool, config: KeyConfig): Promise<Keyring> => {
  const keys = new Map<string, KeyEncryptionKey>();
  let current: KeyEncryptionKey | undefined;

  /** Keys that were here once stay: rows that were read a moment ago may be wrapped by them. Answers with the id of one that is missing. */
  const learn = async (): Promise<string | undefined> => {
    const registered = await registeredKeys(pool);
    for (const [id, key] of await givenKeys(config)) keys.set(id, key);
    const id = registered.find(({ is_current }) => is_current)?.id;
    current = id === undefined ? undefined : (keys.get(id) ?? current);
    return registered.find((each) => !keys.has(each.id))?.id;
  };

  if ((await registeredKeys(pool)).length === 0) {
    const { keyEncryptionKey: bytes, dataDir } = config;
    await registerFirst(pool, bytes ? keyEncryptionKey(bytes) : await keyMadeIn(dataDir, KEY_FILE));
  }
  const missing = await learn();
  if (missing !== undefined)
    throw new CannotStart(
      `The keys of personal data are wrapped by the key-encryption key ${missing}, which is not among ${PLACES}: put it back. Without it no personal data can be read.`,
    );

  return {
    current: () => {
      if (!current) throw new Error('No key-encryption key is current');
      return current;
    },
    find: (id) => keys.get(id),
    refresh: async () => {
      await learn();
    },
  };
};
