import { sql } from 'kysely';

import type { OlderThan } from '../http/cursor-page.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { SecurityKind } from './security-log.ts';

/** A row of the security log as JSON; `at` in ISO 8601, UTC. */
export type SecurityView = {
  readonly _id: string;
  readonly at: string;
  readonly kind: string;
  /** `user:<id>`, or `email:<keyed hash>` where there was no account. */
  readonly subject: string | null;
  /** The network address of the request. */
  readonly address: string | null;
  readonly requestId: string | null;
  readonly detail: object;
};

type Part = OlderThan & { readonly kind?: SecurityKind | undefined; readonly subjects?: readonly string[] | undefined };

/** The security log, newest first: all of it, of one kind, or about these subjects. */
export const securityEvents = async (db: ShopDatabase, { limit, before, kind, subjects }: Part): Promise<SecurityView[]> => {
  const rows = await db
    .selectFrom('security_log')
    .select(['id', 'at', 'kind', 'subject', 'address', 'request_id', 'detail'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(subjects !== undefined, (query) => query.where(sql<boolean>`subject = any(${subjects})`))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, at, request_id, ...rest }) => ({ _id: id, at: at.toISOString(), requestId: request_id, ...rest }));
};
