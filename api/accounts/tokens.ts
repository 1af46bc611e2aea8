import { hash } from 'node:crypto';

import { pooledRandomBytes } from '../random-bytes.ts';

/** 256 random bits, for a cookie or a link. Not to be guessed, so a plain hash of it is enough to keep. */
export const newToken = (): string => pooledRandomBytes(32).toString('base64url');

/** What the database keeps of a token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
