import { hash } from 'node:crypto';

import { pooledRandomBytes } from '../../platform/random-bytes.ts';

/** 256 random bits, for a cookie or a link. They cannot be guessed, so a plain hash is enough to store. */
export const newToken = (): string => pooledRandomBytes(32).toString('base64url');

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The hash stored in the database. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** A value derived from a token that others may see: the provider puts it into the ID token (OpenID Connect, `nonce`). */
export const nonceOf = (token: string): string => tokenHash(token).toString('base64url');
