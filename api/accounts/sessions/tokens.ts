import { hash, randomBytes } from 'node:crypto';

/** 256 random bits: too many to guess, so a plain hash may be stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Public: the provider puts it into the ID token (OpenID Connect, `nonce`). */
export const nonceOf = (token: string): string => tokenHash(token).toString('base64url');
