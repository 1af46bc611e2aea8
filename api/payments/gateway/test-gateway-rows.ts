import { randomInt } from 'node:crypto';
import { sql, type Selectable } from 'kysely';

import { paise, sum, type Paise } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import type { ShopDatabase, ShopTables } from '../../platform/postgres/shop-tables.ts';
import type { GatewayLink, GatewayPayment, GatewayRefund } from './gateway.ts';

export type TestRefund = GatewayRefund & { readonly receipt: string | null; readonly at: Instant };
export type TestPayment = GatewayPayment & { readonly refunds: readonly TestRefund[] };
export type TestLink = Omit<GatewayLink, 'url' | 'payments'> & {
  /** A reference id can be used once. */
  readonly referenceId: string;
  readonly number: string;
  readonly returnTo: string;
  readonly expiresAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly payments: readonly TestPayment[];
};

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Makes ids like Razorpay's: `plink_FOGqq3O6E5bkml`. */
export const newTestId = (kind: 'plink' | 'pay' | 'rfnd' | 'event'): string =>
  `${kind}_${Array.from({ length: 14 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')}`;

export const capturedSum = ({ payments }: Pick<TestLink, 'payments'>): Paise =>
  sum(payments.filter(({ status }) => status === 'captured').map(({ amount }) => amount));

const STATUSES = ['open', 'paid', 'partly_paid', 'cancelled', 'expired'] as const;

export type TestLinks = {
  /** Returns undefined when the reference id is taken. */
  add(link: TestLink): Promise<TestLink | undefined>;
  byId(id: string): Promise<TestLink | undefined>;
  byReferenceId(referenceId: string): Promise<TestLink | undefined>;
  ofPayment(payment: string): Promise<TestLink | undefined>;
  withPendingRefunds(): Promise<readonly TestLink[]>;
  newest(limit: number): Promise<readonly TestLink[]>;
  /** Changes a link under a lock, so that no process changes it meanwhile. Returns undefined for an unknown link. */
  change<T>(id: string, change: (link: TestLink) => { readonly link: TestLink; readonly result: T }): Promise<T | undefined>;
};

/** Stores the links of the embedded test gateway. An open link past its expiry reads as expired. */
export const createTestLinks = (db: ShopDatabase, now: () => Instant): TestLinks => {
  const linkFrom = (row: Selectable<ShopTables['test_payment_links']>): TestLink => {
    const expiresAt = row.expires_at ? instant(row.expires_at.toISOString()) : undefined;
    const status = STATUSES.find((each) => each === row.status) ?? 'open';
    return {
      id: row.id,
      reference: row.reference,
      referenceId: row.reference_id,
      number: row.number,
      amount: paise(Number(row.amount)),
      status: status === 'open' && expiresAt !== undefined && expiresAt <= now() ? 'expired' : status,
      returnTo: row.return_to,
      expiresAt,
      createdAt: instant(row.created_at.toISOString()),
      // The cast is safe: only `toColumns` writes this column.
      payments: row.payments as TestPayment[],
    };
  };
  const toColumns = (link: TestLink) => ({
    id: link.id,
    reference: link.reference,
    reference_id: link.referenceId,
    number: link.number,
    amount: link.amount,
    status: link.status,
    return_to: link.returnTo,
    expires_at: link.expiresAt ? new Date(link.expiresAt) : null,
    created_at: new Date(link.createdAt),
    payments: JSON.stringify(link.payments),
  });
  const rows = () => db.selectFrom('test_payment_links').selectAll();
  const holding = (payment: object) => rows().where(sql<boolean>`payments @> ${JSON.stringify([payment])}::jsonb`);
  const one = async (query: ReturnType<typeof rows>): Promise<TestLink | undefined> => {
    const row = await query.executeTakeFirst();
    return row && linkFrom(row);
  };

  return {
    add: async (link) => {
      const { numInsertedOrUpdatedRows: added } = await db
        .insertInto('test_payment_links')
        .values(toColumns(link))
        .onConflict((conflict) => conflict.column('reference_id').doNothing())
        .executeTakeFirstOrThrow();
      return added ? link : undefined;
    },
    byId: (id) => one(rows().where('id', '=', id)),
    byReferenceId: (referenceId) => one(rows().where('reference_id', '=', referenceId)),
    ofPayment: (payment) => one(holding({ id: payment })),
    withPendingRefunds: async () => (await holding({ refunds: [{ status: 'pending' }] }).execute()).map(linkFrom),
    newest: async (limit) => (await rows().orderBy('serial', 'desc').limit(limit).execute()).map(linkFrom),
    change: (id, change) =>
      db.transaction().execute(async (tx) => {
        const row = await tx.selectFrom('test_payment_links').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
        if (!row) return undefined;
        const before = linkFrom(row);
        const { link, result } = change(before);
        if (link !== before) await tx.updateTable('test_payment_links').set(toColumns(link)).where('id', '=', id).execute();
        return result;
      }),
  };
};
