import { keyEncryptionKey as named, keyringOf } from '../event-store/encryption/key-encryption.ts';

/** That of the shops that tests open: they have no DATA_DIR to keep one in. */
export const keyEncryptionKey = Buffer.alloc(32, 'tests only');
export const testKeyring = keyringOf(named(keyEncryptionKey));
