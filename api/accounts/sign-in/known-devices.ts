import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Marks the browser after a sign-in with a cookie signed for the account. It gives no access, only a separate count of wrong passwords:
 * guesses elsewhere cannot lock the owner out (OWASP: device cookies).
 */
export const knownDevices = (key: Buffer) => {
  const sign = (userId: string, nonce: string): Buffer => createHmac('sha256', key).update(`${userId}:${nonce}`).digest();
  return {
    mark: (userId: string): string => {
      const nonce = randomBytes(16).toString('base64url');
      return `${nonce}.${sign(userId, nonce).toString('base64url')}`;
    },
    read: (userId: string, cookie: string | undefined): string | undefined => {
      const [, nonce = '', signature = ''] = FORM.exec(cookie ?? '') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const right = sign(userId, nonce);
      return given.length === right.length && timingSafeEqual(given, right) ? nonce : undefined;
    },
  };
};

export type KnownDevices = ReturnType<typeof knownDevices>;
