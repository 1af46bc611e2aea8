import { hkdfSync } from 'node:crypto';

const derive = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'ruhani', purpose, 32));

/** A new SESSION_SECRET makes codes and the links in letters, notices and mails of orders invalid, forgets known devices, and parks waiting mail. */
export const deriveKeys = (secret: string) => ({
  codes: derive(secret, 'one-time codes'),
  devices: derive(secret, 'known devices'),
  mail: derive(secret, 'mail in the outbox'),
  orders: derive(secret, 'links to orders'),
  newsletter: derive(secret, 'unsubscribe links'),
  notices: derive(secret, 'links that end notices'),
  subjects: derive(secret, 'addresses in the security log'),
  limits: derive(secret, 'whom limits count'),
  answers: { sealing: derive(secret, 'kept answers'), naming: derive(secret, 'keys of kept answers') },
});

export type DerivedKeys = Readonly<ReturnType<typeof deriveKeys>>;
