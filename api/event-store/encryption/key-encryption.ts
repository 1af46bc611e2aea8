import { createCipheriv, createDecipheriv, hash } from 'node:crypto';

import { pooledRandomBytes } from '../../platform/random-bytes.ts';
import type { SubjectKey } from './subject-keys.ts';

/** Wraps (encrypts) the keys of subjects, so that the database alone opens nothing. 32 bytes, named by a hash of them. */
export type KeyEncryptionKey = { readonly id: string; readonly bytes: Buffer };

/** The key-encryption keys that a process has. */
export type Keyring = {
  /** Wraps the keys that are made now. */
  current(): KeyEncryptionKey;
  find(id: string): KeyEncryptionKey | undefined;
  /** Learns what other processes have changed: which keys there are, and which one is current. */
  refresh(): Promise<void>;
};

/** A wrapped key does not open with the key-encryption key that it names, or that one is not here. */
export class KeyNotUnwrapped extends Error {
  override readonly name = 'KeyNotUnwrapped';
}

/** 32 bytes as base64, with or without its padding, in either alphabet. */
export const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Takes 32 random bytes. The id tells nothing of them. */
export const keyEncryptionKey = (bytes: Buffer): KeyEncryptionKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from('ruhani key-encryption key'), bytes]), 'hex').slice(0, 16),
  bytes,
});

/** For tests and benches: one key, which is never rotated. */
export const keyringOf = (key: KeyEncryptionKey): Keyring => ({
  current: () => key,
  find: (id) => (id === key.id ? key : undefined),
  refresh: async () => {},
});

/** A wrapped key opens for its subject alone. */
const bindingOf = (id: string, subject: string): Buffer => Buffer.from(JSON.stringify(['subject key', id, subject]));

/** The subject's key as it is stored: iv, ciphertext and tag, 60 bytes. */
export const wrapKey = ({ id, bytes }: KeyEncryptionKey, subject: string, key: SubjectKey['bytes']): Buffer => {
  const iv = pooledRandomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, bytes, iv, { authTagLength: TAG_BYTES }).setAAD(bindingOf(id, subject));
  return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
};

/** Throws `KeyNotUnwrapped`. */
export const unwrapKey = (keyring: Pick<Keyring, 'find'>, id: string, subject: string, wrapped: Buffer): SubjectKey['bytes'] => {
  const found = keyring.find(id);
  if (!found) throw new KeyNotUnwrapped(`The key of subject ${subject} is wrapped by the key-encryption key ${id}, which is not here`);
  try {
    const decipher = createDecipheriv(ALGORITHM, found.bytes, wrapped.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(bindingOf(id, subject))
      .setAuthTag(wrapped.subarray(-TAG_BYTES));
    // In memory of its own: as a piece of Node's pool, each key that is remembered would keep 8 KB from being freed.
    const key = Buffer.alloc(wrapped.length - IV_BYTES - TAG_BYTES);
    decipher.update(wrapped.subarray(IV_BYTES, -TAG_BYTES)).copy(key);
    decipher.final();
    return key;
  } catch (cause) {
    throw new KeyNotUnwrapped(`The key of subject ${subject} does not open with the key-encryption key ${id}`, { cause });
  }
};
