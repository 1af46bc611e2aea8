import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';

import { withoutInvisible } from '#domain/shared/text.ts';

import { unavailable } from '../../http/http-error.ts';
import { emailAddress, type EmailAddress } from '../../platform/email-address.ts';
import { badIdToken } from '../account-errors.ts';

/** The identity is issuer and subject: an address may change its owner. */
export type Claims = { readonly issuer: string; readonly subject: string; readonly email: EmailAddress; readonly name: string };

export type IdTokens = {
  /** Throws a 401 for an invalid token or another nonce, a 503 when the provider's keys cannot be fetched. */
  verify(token: string, nonce: string | undefined): Promise<Claims>;
};

export type Provider = { readonly clientId: string; readonly jwksUrl: string; readonly issuer: string };

/** In ms. A failing sign-in is then answered within three seconds. */
const KEYS_WITHIN = 2_500;
/** Clock difference, in seconds. */
const TOLERANCE = 5;
/** Google uses the first. No `none`, and no symmetric algorithms, which would accept the public key as the secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const MAX_NAME = 100;

const Payload = z.object({
  iss: z.string(),
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.string(),
  email_verified: z.union([z.literal(true), z.literal('true')]),
  name: z.string().optional(),
});

const issuersOf = (issuer: string): string[] => (issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : [issuer]);

const isTokensFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  // By jose, for a malformed answer with keys.
  error.code !== 'ERR_JOSE_GENERIC';

const claimsOf = (payload: JWTPayload, issuer: string): Claims => {
  const parsed = Payload.safeParse(payload);
  const email = parsed.success ? emailAddress(parsed.data.email) : undefined;
  if (!parsed.success || !email) throw badIdToken();
  const { sub: subject, name = '' } = parsed.data;
  const plainName = withoutInvisible(name)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return { issuer, subject, email, name: plainName || email.slice(0, email.indexOf('@')) };
};

/** Checks signature, audience, issuer, expiry, nonce, and that the address is verified. */
export const idTokensOf = ({ clientId, jwksUrl, issuer }: Provider, now: () => Date): IdTokens => {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: KEYS_WITHIN });
  return {
    verify: async (token, nonce) => {
      try {
        const { payload } = await jwtVerify(token, keys, {
          audience: clientId,
          issuer: issuersOf(issuer),
          algorithms: ALGORITHMS,
          requiredClaims: ['exp', 'sub', 'email'],
          clockTolerance: TOLERANCE,
          currentDate: now(),
        });
        if (payload['nonce'] !== undefined && payload['nonce'] !== nonce) throw badIdToken();
        return claimsOf(payload, issuer);
      } catch (error) {
        if (isTokensFault(error)) throw badIdToken();
        if (error instanceof errors.JOSEError || error instanceof TypeError)
          throw unavailable('Google login is not available right now. Please try again in a moment.');
        throw error;
      }
    },
  };
};
