import { keyEncryptionKey as named, type KeyEncryptionKey, type Keyring } from '../event-store/encryption/key-encryption.ts';

/** A keyring that holds one key. */
export const keyringOf = (key: KeyEncryptionKey): Keyring => ({
  current: () => key,
  find: (id) => (id === key.id ? key : undefined),
  refresh: async () => {},
});

/** Shops of tests have no DATA_DIR to store one in. */
export const keyEncryptionKey = Buffer.alloc(32, 'tests only');
export const testKeyring = keyringOf(named(keyEncryptionKey));
