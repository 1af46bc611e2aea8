import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import helmet from 'koa-helmet';

import type { Headers } from './headers.ts';

type Options = {
  /** If it is https, browsers are told to use only https. */
  readonly publicUrl: string;
  /** Google's script, styles and frame are allowed only if it is true. */
  readonly hasGoogleLogin: boolean;
};

const GOOGLE = {
  script: 'https://accounts.google.com/gsi/client',
  style: 'https://accounts.google.com/gsi/style',
  rest: 'https://accounts.google.com/gsi/',
} as const;

const policyFor = ({ publicUrl, hasGoogleLogin }: Options) => {
  const isSecure = publicUrl.startsWith('https:');
  const fromGoogle = (source: string): string[] => (hasGoogleLogin ? [source] : []);
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...fromGoogle(GOOGLE.script)],
        // Drawers and dialogs stop scrolling with an inline style sheet. Styles cannot run scripts.
        styleSrc: ["'self'", "'unsafe-inline'", ...fromGoogle(GOOGLE.style)],
        connectSrc: ["'self'", ...fromGoogle(GOOGLE.rest)],
        frameSrc: ["'self'", ...fromGoogle(GOOGLE.rest)],
        // `data:` is not allowed, because an SVG there is a document.
        imgSrc: ["'self'", 'https:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // The provider's sign-in window reports to the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
};

/**
 * Forbids foreign scripts, framing and type guessing, limits referrers, and sets HSTS under https. Helmet runs once, since all responses
 * get the same.
 */
export const securityHeaders = async (options: Options): Promise<Headers> => {
  const req = new IncomingMessage(new Socket());
  const example = new Koa().createContext(req, new ServerResponse(req));
  await policyFor(options)(example, () => Promise.resolve());
  return Object.entries(example.res.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
};
