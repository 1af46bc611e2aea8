import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const TAG = { authTagLength: 16 } as const;
export const IV_BYTES = 12;

/**
 * Returns iv, ciphertext and tag, bound to the place where they are stored: elsewhere they do not decrypt. `iv` must never repeat under one
 * key.
 */
export const encrypt = (key: Buffer, boundTo: string | Buffer, plain: string | Buffer, iv: Buffer = randomBytes(IV_BYTES)): Buffer => {
  const cipher = createCipheriv(ALGORITHM, key, iv, TAG).setAAD(Buffer.from(boundTo));
  return Buffer.concat([iv, cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]);
};

/** Throws when it was encrypted with another key, bound to another place, or changed. */
export const decrypt = (key: Buffer, boundTo: string | Buffer, sealed: Buffer): Buffer => {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), TAG)
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(-TAG.authTagLength));
  const plain = decipher.update(sealed.subarray(IV_BYTES, -TAG.authTagLength));
  // Throws when the tag does not match; returns no further bytes.
  decipher.final();
  return plain;
};
