import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';

import type { ShopDatabase } from '../shop-tables.ts';

export const SECURITY_KINDS = [
  'login_failed',
  'login_refused',
  'signed_in',
  'code_burnt',
  'limit_reached',
  'cross_site_refused',
  'right_refused',
  'password_reset_asked',
  'password_changed',
  'identity_linked',
  'rights_granted',
  /** The staff: lists of people's data seen or taken along, and the books looked into. */
  'contacts_read',
  'subscribers_read',
  'audit_read',
  'downloaded',
  /** The user: their own data taken along, their erasure wished for and done. */
  'exported',
  'erasure_asked',
  'erased',
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

/** What the shop remembers for its security. No passwords, codes, tokens or e-mail addresses: the rows are never erased. */
export type SecurityEvent = {
  readonly kind: SecurityKind;
  /** Whom it is about: `user:<id>`, or `email:<keyed hash>` where there is no account. */
  readonly subject?: string | undefined;
  /** Where the request came from. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
};

export type SecurityLog = {
  /** Notes it down; it is in the table a moment later, and never holds up the request it tells of. */
  record(event: SecurityEvent): void;
  /** Comes back when everything noted so far is in the table. */
  flush(): Promise<void>;
};

type Parts = { readonly db: ShopDatabase; readonly now: () => Date; readonly log: Logger };

const WRITE_AFTER_MS = 100;
/** So many may wait to be written. A flood beyond is counted only: it must not fill the memory, and says no more than its beginning. */
const WAITING = 1_000;

export const userSubject = (userId: string): string => `user:${userId}`;

/** Names an address without telling it: the same address has the same name, and only the shop can make it. */
export const emailSubject = (key: Buffer, email: string): string =>
  `email:${createHmac('sha256', key).update(email).digest('base64url').slice(0, 22)}`;

/** As a row of the table. */
export const securityRow = (event: SecurityEvent, at: Date) => ({
  at,
  kind: event.kind,
  subject: event.subject ?? null,
  address: event.address ?? null,
  request_id: event.requestId ?? null,
  detail: JSON.stringify(event.detail ?? {}),
});

/** The security log in table `shop.security_log`, to which rows are only ever added. */
export const securityLog = ({ db, now, log }: Parts): SecurityLog => {
  let rows: ReturnType<typeof securityRow>[] = [];
  let missed = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = rows;
    if (missed > 0) log.warn({ missed }, 'More security events than could be written');
    rows = [];
    missed = 0;
    if (batch.length === 0) return;
    try {
      await db.insertInto('security_log').values(batch).execute();
    } catch (error) {
      log.error({ err: error, events: batch.length }, 'Security events could not be written');
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  return {
    record: (event) => {
      if (rows.length >= WAITING) missed += 1;
      else rows.push(securityRow(event, now()));
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref();
    },
    flush,
  };
};
