import type pg from 'pg';

import { keyEncryptionKey as named, type KeyEncryptionKey, type Keyring } from '../event-store/encryption/key-encryption.ts';
import { openKeyring } from '../event-store/encryption/keyring.ts';
import { createSealedRows, type SealedRows } from '../event-store/encryption/sealed-rows.ts';
import { postgresSubjectKeys } from '../event-store/postgres/postgres-subject-keys.ts';

export const createKeyring = (key: KeyEncryptionKey): Keyring => ({
  current: () => key,
  find: (id) => (id === key.id ? key : undefined),
  refresh: async () => {},
});

/** Shops of tests have no DATA_DIR in which to store a key. */
export const keyEncryptionKey = Buffer.alloc(32, 'tests only');
export const testKeyring = createKeyring(named(keyEncryptionKey));

/** For parts of the shop that are opened without the whole, some of them without a database. */
export const openSealedRows = async (pool: pg.Pool): Promise<SealedRows> => {
  await openKeyring(pool, { dataDir: '/nowhere', keyEncryptionKey }).catch(() => undefined);
  return createSealedRows(postgresSubjectKeys(pool, testKeyring));
};
