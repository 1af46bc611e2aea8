import { domainToASCII } from 'node:url';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';

import { withoutInvisible } from '#domain/shared/text.ts';

import { unavailable } from '../../http/http-error.ts';
import { emailAddress, type EmailAddress } from '../../platform/email-address.ts';
import { badIdToken } from '../account-errors.ts';

/** Issuer and subject are the identity, because an address may change its owner. */
export type Claims = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: EmailAddress;
  readonly name: string;
  /** Whether the provider itself assigns the address. It only knows that the user of any other address once read mail there. */
  readonly isAuthority: boolean;
};

export type IdTokens = {
  /** Throws a 401 for an invalid token, without a nonce or with another one, and a 503 when the provider's keys cannot be fetched. */
  verify(token: string, nonce: string | undefined): Promise<Claims>;
};

export type Provider = { readonly clientId: string; readonly jwksUrl: string; readonly issuer: string };

/** A failing sign-in is then answered within three seconds. */
const KEYS_WITHIN_MS = 2_500;
/** Clocks may differ by this many seconds. */
const TOLERANCE = 5;
/** Google uses the first. `none` and symmetric algorithms are left out; the latter would accept the public key as the secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const MAX_NAME = 100;

const Payload = z.object({
  iss: z.string(),
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.string(),
  email_verified: z.union([z.literal(true), z.literal('true')]),
  name: z.string().optional(),
  /** The domain of an organisation whose addresses the provider hosts. */
  hd: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]),
  /** The client for which the token was made. */
  azp: z.string().optional(),
});

/** Google's own mail domains. */
const OF_GOOGLE = new Set(['gmail.com', 'googlemail.com']);

const isAuthorityFor = (email: EmailAddress, hosted: string | undefined): boolean => {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return OF_GOOGLE.has(domain) || domainToASCII(hosted ?? '') === domain;
};

const listIssuers = (issuer: string): string[] => (issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : [issuer]);

const isTokensFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  // jose throws it for a malformed response with keys.
  error.code !== 'ERR_JOSE_GENERIC';

const parseClaims = (payload: JWTPayload, issuer: string, clientId: string): Claims => {
  const parsed = Payload.safeParse(payload);
  const email = parsed.success ? emailAddress(parsed.data.email) : undefined;
  if (!parsed.success || !email) throw badIdToken();
  const { sub: subject, name = '', hd, aud, azp } = parsed.data;
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if ((isForSeveral || azp !== undefined) && azp !== clientId) throw badIdToken();
  const plainName = withoutInvisible(name)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return { issuer, subject, email, name: plainName || email.slice(0, email.indexOf('@')), isAuthority: isAuthorityFor(email, hd) };
};

/** Checks signature, audience, issuer, expiry, and the nonce that the shop gave to this browser, and that the address is verified. */
export const createIdTokens = ({ clientId, jwksUrl, issuer }: Provider, now: () => Date): IdTokens => {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: KEYS_WITHIN_MS });
  return {
    verify: async (token, nonce) => {
      try {
        const { payload } = await jwtVerify(token, keys, {
          audience: clientId,
          issuer: listIssuers(issuer),
          algorithms: ALGORITHMS,
          requiredClaims: ['exp', 'sub', 'email'],
          clockTolerance: TOLERANCE,
          currentDate: now(),
        });
        if (nonce === undefined || payload['nonce'] !== nonce) throw badIdToken();
        return parseClaims(payload, issuer, clientId);
      } catch (error) {
        if (isTokensFault(error)) throw badIdToken();
        if (error instanceof errors.JOSEError || error instanceof TypeError)
          throw unavailable('Google login is not available right now. Please try again in a moment.');
        throw error;
      }
    },
  };
};
