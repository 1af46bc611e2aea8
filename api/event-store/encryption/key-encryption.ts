import { hash } from 'node:crypto';

import { decrypt, encrypt } from '../../platform/aes-gcm.ts';
import type { SubjectKey } from './subject-keys.ts';

/** The key has 32 bytes and encrypts (wraps) the keys of subjects, so that the database alone decrypts nothing. Its id is its hash. */
export type KeyEncryptionKey = { readonly id: string; readonly bytes: Buffer };

export type Keyring = {
  current(): KeyEncryptionKey;
  find(id: string): KeyEncryptionKey | undefined;
  /** Reloads which keys exist and which one is current, in case another process changed that. */
  refresh(): Promise<void>;
};

/** The wrapped key does not decrypt with the key that it names, or that key is not available. */
export class KeyNotUnwrapped extends Error {
  override readonly name = 'KeyNotUnwrapped';
}

/** Matches 32 bytes as base64 or base64url with optional padding. */
export const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Makes a key of 32 random bytes. The id reveals nothing about them. */
export const keyEncryptionKey = (bytes: Buffer): KeyEncryptionKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from('ruhani key-encryption key'), bytes]), 'hex').slice(0, 16),
  bytes,
});

const createBinding = (id: string, subject: string): Buffer => Buffer.from(JSON.stringify(['subject key', id, subject]));

/** Encrypts a subject's key. Returns the 60 bytes that are stored. */
export const wrapKey = ({ id, bytes }: KeyEncryptionKey, subject: string, key: SubjectKey['bytes']): Buffer =>
  encrypt(bytes, createBinding(id, subject), key);

/** Decrypts a stored key. Throws `KeyNotUnwrapped`. */
export const unwrapKey = (keyring: Pick<Keyring, 'find'>, id: string, subject: string, wrapped: Buffer): SubjectKey['bytes'] => {
  const found = keyring.find(id);
  if (!found) throw new KeyNotUnwrapped(`The key of subject ${subject} is wrapped by the key-encryption key ${id}, which is not available`);
  try {
    const plain = decrypt(found.bytes, createBinding(id, subject), wrapped);
    // The key is copied out of Node's buffer pool, where each cached key would keep 8 KB from being freed.
    const key = Buffer.alloc(plain.length);
    plain.copy(key);
    return key;
  } catch (cause) {
    throw new KeyNotUnwrapped(`The key of subject ${subject} cannot be decrypted with the key-encryption key ${id}`, { cause });
  }
};
