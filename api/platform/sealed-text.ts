import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM, bound to the place where the text is stored: elsewhere it does not open. */
export const sealText = (key: Buffer, boundTo: string | Buffer, text: string): Buffer => {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
};

/** Throws when it was sealed with another key, bound to another place, or changed. */
export const openText = (key: Buffer, boundTo: string | Buffer, sealed: Buffer): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE)).setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
};
