import { hash } from 'node:crypto';

import { pooledRandomBytes } from '../../platform/random-bytes.ts';

/** 256 random bits: they cannot be guessed, so a plain hash is enough to store. */
export const newToken = (): string => pooledRandomBytes(32).toString('base64url');

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Derived from a token, for others to see: the provider puts it into the ID token (OpenID Connect, `nonce`). */
export const nonceOf = (token: string): string => tokenHash(token).toString('base64url');
