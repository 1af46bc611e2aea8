import { keyEncryptionKey as named, keyringOf } from '../event-store/encryption/key-encryption.ts';

/** Shops of tests have no DATA_DIR to store one in. */
export const keyEncryptionKey = Buffer.alloc(32, 'tests only');
export const testKeyring = keyringOf(named(keyEncryptionKey));
