import { keyEncryptionKey as named, type KeyEncryptionKey, type Keyring } from '../event-store/encryption/key-encryption.ts';

export const createKeyring = (key: KeyEncryptionKey): Keyring => ({
  current: () => key,
  find: (id) => (id === key.id ? key : undefined),
  refresh: async () => {},
});

/** Shops of tests have no DATA_DIR in which to store a key. */
export const keyEncryptionKey = Buffer.alloc(32, 'tests only');
export const testKeyring = createKeyring(named(keyEncryptionKey));
