import { hash } from 'node:crypto';

import { pooledRandomBytes } from '../random-bytes.ts';

/** 256 random bits, for a cookie or a link. Not to be guessed, so a plain hash of it is enough to keep. */
export const newToken = (): string => pooledRandomBytes(32).toString('base64url');

/** Whether it could be one of ours. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What the database keeps of a token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** What stands for a token where others see it: a provider is given it, and puts it into what it signs (OpenID Connect, `nonce`). */
export const nonceOf = (token: string): string => tokenHash(token).toString('base64url');
