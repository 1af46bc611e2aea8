import Koa from 'koa';
import { describe, expect, test } from 'vitest';

import { listening } from '../testing/listening.ts';
import type { State } from './context.ts';
import { withHeaders } from './headers.ts';
import { securityHeaders } from './security-headers.ts';

const policyOf = async (hasGoogleLogin: boolean): Promise<Record<string, string>> => {
  const app = new Koa<State>();
  app.use(withHeaders(await securityHeaders({ publicUrl: 'http://localhost:3000', hasGoogleLogin })));
  const server = await listening(app.callback());
  const { headers } = await fetch(server.url).finally(() => server.close());
  const directives = headers.get('content-security-policy')?.split(';') ?? [];
  return Object.fromEntries(directives.map((directive) => /^(\S+) ?(.*)$/.exec(directive)?.slice(1) ?? []));
};

describe('the content security policy', () => {
  test("allows only the shop's own sources without third-party sign-in", async () => {
    expect(await policyOf(false)).toMatchObject({
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'connect-src': "'self'",
      'frame-src': "'self'",
    });
    expect(JSON.stringify(await policyOf(false))).not.toContain('google');
  });

  test("allows the parts of Google's button with Google login", async () =>
    expect(await policyOf(true)).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self' https://accounts.google.com/gsi/client",
      'style-src': "'self' 'unsafe-inline' https://accounts.google.com/gsi/style",
      'connect-src': "'self' https://accounts.google.com/gsi/",
      'frame-src': "'self' https://accounts.google.com/gsi/",
    }));
});
