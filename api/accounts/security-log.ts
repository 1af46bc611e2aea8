import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';

import { anyOf } from '#projections/storage/prepare.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { OlderThan } from '../http/cursor-page.ts';

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
  /** Staff cause these events. */
  'contacts_read',
  'subscribers_read',
  'audit_read',
  'downloaded',
  /** Users cause these events. */
  'exported',
  'erasure_asked',
  'erased',
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

/** The events contain no passwords, codes, tokens or e-mail addresses, because rows are never erased. */
export type SecurityEvent = {
  readonly kind: SecurityKind;
  /** `user:<id>`, or `email:<keyed hash>` where there is no account. */
  readonly subject?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
};

export type SecurityLog = {
  /** Never delays the request. */
  record(event: SecurityEvent): void;
  /** Resolves when all events so far are in the table. */
  flush(): Promise<void>;
};

type Parts = { readonly db: ShopDatabase; readonly now: () => Date; readonly log: Logger };

const WRITE_AFTER_MS = 100;
/** Further events are only counted, so that a flood does not fill the memory. */
const WAITING = 1_000;

export const userSubject = (userId: string): string => `user:${userId}`;

/** Returns the same name for the same address; only the shop can compute it. */
export const emailSubject = (key: Buffer, email: string): string =>
  `email:${createHmac('sha256', key).update(email).digest('base64url').slice(0, 22)}`;

export const securityRow = (event: SecurityEvent, at: Date) => ({
  at,
  kind: event.kind,
  subject: event.subject ?? null,
  address: event.address ?? null,
  request_id: event.requestId ?? null,
  detail: JSON.stringify(event.detail ?? {}),
});

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

export type SecurityView = {
  readonly _id: string;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly detail: object;
};

type Part = OlderThan & { readonly kind?: SecurityKind | undefined; readonly subjects?: readonly string[] | undefined };

/** Returns events, newest first: all, of one kind, or about these subjects. */
export const securityEvents = async (db: ShopDatabase, { limit, before, kind, subjects }: Part): Promise<SecurityView[]> => {
  const rows = await db
    .selectFrom('security_log')
    .select(['id', 'at', 'kind', 'subject', 'address', 'request_id', 'detail'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(subjects !== undefined, (query) => query.where('subject', '=', anyOf(subjects ?? [])))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, at, request_id, ...rest }) => ({ _id: id, at: at.toISOString(), requestId: request_id, ...rest }));
};
