import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

import type { Provider } from '../sign-in/id-tokens.ts';
import type { Answer, Browser } from './browser.ts';

type Claims = { [Name in keyof JWTPayload]?: JWTPayload[Name] | undefined };

type Behaviour = 'there' | 'broken' | 'silent';

const CLIENT = 'ruhani-client';
const ISSUER = 'https://accounts.provider.example';

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)));

/** Opens a local OpenID provider with real keys and signatures. */
export const openProvider = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const { privateKey: foreignKey } = await generateKeyPair('RS256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
  let behaviour: Behaviour = 'there';
  const server = createServer((_, answer) => {
    if (behaviour === 'silent') return;
    answer.writeHead(behaviour === 'there' ? 200 : 500, { 'content-type': 'application/json' }).end(behaviour === 'there' ? keys : 'oops');
  });
  const url = await listen(server);
  return {
    config: { clientId: CLIENT, jwksUrl: `${url}/keys`, issuer: ISSUER } satisfies Provider,
    foreignKey,
    keysAre: (how: Behaviour) => void (behaviour = how),
    token: (subject: string, claims: Claims = {}, { kid = 'one', key = privateKey, expires = 3_600 } = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const usual = {
        iss: ISSUER,
        aud: CLIENT,
        sub: subject,
        iat: now,
        exp: now + expires,
        email: `${subject}@example.com`,
        email_verified: true,
        name: subject,
      };
      return new SignJWT(JSON.parse(JSON.stringify({ ...usual, ...claims })) as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(key);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type TestProvider = Awaited<ReturnType<typeof openProvider>>;

/** Signs this browser in with a token that was made for it. */
export const enterWith = async (provider: TestProvider, at: Browser, subject: string, claims: Claims = {}): Promise<Answer> => {
  const { googleNonce: nonce } = (await at.get('/api/user/sign-in-options')).body as { readonly googleNonce: string };
  return at.post('/api/user/google-login', { token: await provider.token(subject, { nonce, ...claims }) });
};
