import { hash, randomBytes } from 'node:crypto';

/** 256 random bits are too many to guess, so a plain hash may be stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The nonce is public: the provider puts it into the ID token (OpenID Connect, `nonce`). */
export const createNonce = (token: string): string => tokenHash(token).toString('base64url');
