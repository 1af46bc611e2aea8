import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';

import { anyOf } from '#projections/storage/prepare.ts';

import { withClient } from '../platform/postgres/postgres-client.ts';
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
  /** The row says how many refusals were left out within an hour. */
  'refusals_left_out',
  'password_reset_asked',
  'password_changed',
  'session_ended',
  'email_changed',
  'email_taken_back',
  'second_factor_added',
  'second_factor_removed',
  'identity_linked',
  /** Earlier releases wrote it. */
  'rights_granted',
  'staff_invited',
  'invitation_withdrawn',
  'staff_joined',
  'staff_roles_changed',
  'staff_disabled',
  'staff_enabled',
  'staff_left',
  /** Staff cause these events. */
  'contacts_read',
  'subscribers_read',
  'audit_read',
  'downloaded',
  /** Users cause these events. */
  'exported',
  'erasure_asked',
  'erased',
  /** An operator deleted older rows. */
  'pruned',
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

/** Where a request came from, for its events. */
export type From = Pick<SecurityEvent, 'address' | 'requestId'>;

/** Strangers cause these events as often as they like. */
const REFUSALS: ReadonlySet<SecurityKind> = new Set([
  'login_failed',
  'login_refused',
  'code_burnt',
  'limit_reached',
  'cross_site_refused',
  'right_refused',
]);

export type SecurityLog = {
  /** Never delays the request. */
  record(event: SecurityEvent): void;
  /** Resolves when all events so far are in the table. Refusals that follow are counted anew. */
  flush(): Promise<void>;
};

type Parts = { readonly db: ShopDatabase; readonly now: () => Date; readonly log: Logger };

const WRITE_AFTER_MS = 100;
/** Further events are left out, so that a flood does not fill the memory. */
const WAITING = 1_000;

/** Equal refusals within this many ms are one row. */
const COUNTED_FOR_MS = 60_000;
/** A process writes this many rows about refusals in an hour; beyond, they are only counted. */
const REFUSALS_OF_HOUR = 1_000;
const HOUR_MS = 3_600_000;
/** The sender chooses how long a path is. */
const TEXT_LENGTH = 200;
/** The routes accept at most so many characters of a reason, so it is never cut. */
export const LONGEST_LETTER_REASON = 500;

export const userSubject = (userId: string): string => `user:${userId}`;

/** Returns the same name for the same address; only the shop can compute it. */
export const emailSubject = (key: Buffer, email: string): string =>
  `email:${createHmac('sha256', key).update(email).digest('base64url').slice(0, 22)}`;

const cut = (name: string, value: string | number | boolean) =>
  typeof value === 'string' ? value.slice(0, name === 'reason' ? LONGEST_LETTER_REASON : TEXT_LENGTH) : value;

export const securityRow = (event: SecurityEvent, at: Date) => ({
  at,
  kind: event.kind,
  subject: event.subject ?? null,
  address: event.address ?? null,
  request_id: event.requestId ?? null,
  detail: JSON.stringify(Object.fromEntries(Object.entries(event.detail ?? {}).map(([name, value]) => [name, cut(name, value)]))),
});

/** Adds an event in the transaction of what happened. */
export const addSecurityEvent = async (tx: ShopDatabase, event: SecurityEvent, at: Date): Promise<void> => {
  await tx.insertInto('security_log').values(securityRow(event, at)).execute();
};

/** Path and origin are the sender's choice: another one is no other refusal. */
const keyOfRefusal = ({ kind, subject, address, detail }: SecurityEvent): string =>
  JSON.stringify([kind, subject, address, { ...detail, path: '', origin: '' }]);

type CountedRefusal = { readonly event: SecurityEvent; readonly at: Date; count: number };

/**
 * Counts equal refusals of one address within a minute, and bounds their rows. `takeRows` ends those that are a minute old, or all, and
 * returns their rows.
 */
const countRefusals = () => {
  const counted = new Map<string, CountedRefusal>();
  let hour = { began: -Infinity, rows: 0 };
  let leftOut: CountedRefusal | undefined;
  const ended: CountedRefusal[] = [];

  const leaveOut = (at: Date): void => {
    leftOut ??= { event: { kind: 'refusals_left_out' }, at, count: 0 };
    leftOut.count += 1;
  };

  return {
    leaveOut,
    add: (event: SecurityEvent, at: Date): void => {
      const key = keyOfRefusal(event);
      const before = counted.get(key);
      if (before && at.getTime() - before.at.getTime() < COUNTED_FOR_MS) return void (before.count += 1);
      if (before) ended.push(before);
      counted.delete(key);
      if (at.getTime() - hour.began >= HOUR_MS) hour = { began: at.getTime(), rows: 0 };
      if (hour.rows >= REFUSALS_OF_HOUR) return leaveOut(at);
      hour.rows += 1;
      counted.set(key, { event, at, count: 1 });
    },
    hasSome: () => counted.size > 0 || ended.length > 0 || leftOut !== undefined,
    takeRows: (at: Date | 'all') => {
      const isOver = (each: CountedRefusal, ms: number): boolean => at === 'all' || at.getTime() - each.at.getTime() >= ms;
      for (const [key, each] of counted)
        if (isOver(each, COUNTED_FOR_MS)) {
          counted.delete(key);
          ended.push(each);
        }
      if (leftOut && isOver(leftOut, HOUR_MS)) {
        ended.push(leftOut);
        leftOut = undefined;
      }
      return ended.splice(0).map(({ event, at: since, count }) => {
        const isOne = count === 1 && event.kind !== 'refusals_left_out';
        return securityRow(isOne ? event : { ...event, detail: { ...event.detail, count } }, since);
      });
    },
  };
};

export const securityLog = ({ db, now, log }: Parts): SecurityLog => {
  let rows: ReturnType<typeof securityRow>[] = [];
  const refusals = countRefusals();
  let timer: NodeJS.Timeout | undefined;
  let counting: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = rows;
    rows = [];
    if (batch.length === 0) return;
    try {
      await db.insertInto('security_log').values(batch).execute();
    } catch (error) {
      log.error({ err: error, events: batch.length }, 'Security events could not be written');
    }
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, WRITE_AFTER_MS).unref();
  };
  const add = (row: ReturnType<typeof securityRow>, at: Date): void => {
    if (rows.length >= WAITING) refusals.leaveOut(at);
    else rows.push(row);
    writeSoon();
  };
  const endCounts = (): void => {
    counting = undefined;
    const at = now();
    for (const row of refusals.takeRows(at)) add(row, at);
    countOn();
  };
  const countOn = (): void => {
    if (refusals.hasSome()) counting ??= setTimeout(endCounts, COUNTED_FOR_MS).unref();
  };

  return {
    record: (event) => {
      const at = now();
      if (REFUSALS.has(event.kind)) refusals.add(event, at);
      else add(securityRow(event, at), at);
      countOn();
    },
    flush: () => {
      rows.push(...refusals.takeRows('all'));
      writing = writing.then(write);
      return writing;
    },
  };
};

/** Deletes rows from before a day. Only the owner of the table can do it; a row says that it was done. */
export const pruneSecurityLog = (ownerUrl: string, before: Date, at: Date): Promise<number> =>
  withClient({ connectionString: ownerUrl, application_name: 'security-log' }, async (owner) => {
    await owner.query('begin');
    await owner.query('alter table shop.security_log disable trigger only_added');
    const { rowCount } = await owner.query('delete from shop.security_log where at < $1', [before]);
    await owner.query('alter table shop.security_log enable trigger only_added');
    const pruned = rowCount ?? 0;
    const row = securityRow({ kind: 'pruned', detail: { before: before.toISOString(), rows: pruned } }, at);
    await owner.query('insert into shop.security_log (at, kind, detail) values ($1, $2, $3)', [row.at, row.kind, row.detail]);
    await owner.query('commit');
    return pruned;
  });

export type SecurityView = {
  readonly _id: string;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly detail: object;
};

type Part = OlderThan & { readonly kinds?: readonly SecurityKind[] | undefined; readonly subjects?: readonly string[] | undefined };

/** Returns events, newest first: all, of these kinds, or about these subjects. */
export const securityEvents = async (db: ShopDatabase, { limit, before, kinds, subjects }: Part): Promise<SecurityView[]> => {
  const rows = await db
    .selectFrom('security_log')
    .select(['id', 'at', 'kind', 'subject', 'address', 'request_id', 'detail'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .$if(kinds !== undefined, (query) => query.where('kind', '=', anyOf(kinds ?? [])))
    .$if(subjects !== undefined, (query) => query.where('subject', '=', anyOf(subjects ?? [])))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, at, request_id, ...rest }) => ({ _id: id, at: at.toISOString(), requestId: request_id, ...rest }));
};
