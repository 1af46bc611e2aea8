import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Browsers in which an account was entered before keep a cookie that says so, signed for that one account. It opens nothing. It only gives
 * the browser a count of wrong passwords of its own, so that who guesses at an account from elsewhere cannot lock its owner out
 * (OWASP: device cookies).
 */
export const knownDevices = (key: Buffer) => {
  const sign = (userId: string, nonce: string): Buffer => createHmac('sha256', key).update(`${userId}:${nonce}`).digest();
  return {
    /** The value of a new cookie for this account. */
    mark: (userId: string): string => {
      const nonce = randomBytes(16).toString('base64url');
      return `${nonce}.${sign(userId, nonce).toString('base64url')}`;
    },
    /** The name of the device if the cookie was made for this account. */
    read: (userId: string, cookie: string | undefined): string | undefined => {
      const [, nonce = '', signature = ''] = FORM.exec(cookie ?? '') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const right = sign(userId, nonce);
      return given.length === right.length && timingSafeEqual(given, right) ? nonce : undefined;
    },
  };
};

export type KnownDevices = ReturnType<typeof knownDevices>;
