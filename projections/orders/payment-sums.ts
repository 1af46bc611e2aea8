import { sql, type Kysely } from 'kysely';

import { paise, rupees, sum, type Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { AWAY } from './desk-payment-queries.ts';
import { parsePayment } from './order-rows.ts';
import { listIncomes } from './payment-statuses.ts';

/** The number of orders in a list and their amount in rupees. `since` is the time of the first: null when there is none. */
type Sum = { readonly count: number; readonly amount: number; readonly since: Instant | null };

/** Sums of the lists of payments. Each is that of all rows of its list. */
export type PaymentSums = {
  readonly due: Sum;
  /** What came in since this day began, even for orders of which a part came before. */
  readonly paid_today: Omit<Sum, 'since'>;
  /** One courier's name may be written in several ways of upper and lower case; without a name, it is empty and the last. */
  readonly with_couriers: Sum & { readonly couriers: readonly (Omit<Sum, 'since'> & { readonly courier: string })[] };
  /** Counts refunds, of which an order may have several. */
  readonly refunding: Sum;
  /** `unknown` counts those that belong to no order. */
  readonly mismatch: { readonly count: number; readonly unknown: number };
};

type Databases = Pick<ReadDatabase, 'db'>;

const toRupees = (amount: string | number | null): number => rupees(paise(Number(amount ?? 0)));
const earliest = (times: readonly Instant[]): Instant | null => times.toSorted()[0] ?? null;

const ordersWith = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('payment_statuses as s')
    .innerJoin('orders_desk as o', 'o.order_id', 's.order_id')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<string | null>('o.total').as('amount'),
      fn.min('s.placed_at').as('since'),
    ])
    .where('s.placed_at', 'is not', null);

const sumDue = async (db: Kysely<ReadModels>): Promise<Sum> => {
  const { count, amount, since } = await ordersWith(db).where('s.status', '=', 'due').executeTakeFirstOrThrow();
  return { count: Number(count), amount: toRupees(amount), since };
};

/** Returns what couriers owe, all together and each of them. */
export const sumWithCouriers = async ({ db }: Databases): Promise<PaymentSums['with_couriers']> => {
  const courier = sql<string>`btrim(coalesce(o.state::json #>> '{shipment,courier}', ''))`;
  const rows = await ordersWith(db)
    .select(sql<string>`min(${courier})`.as('courier'))
    .where('s.status', '=', 'on_delivery')
    .where('o.status', 'in', AWAY)
    .groupBy(sql`lower(${courier})`)
    .orderBy(sql`lower(${courier}) = ''`)
    .orderBy('amount', 'desc')
    .orderBy('courier')
    .execute();
  return {
    count: rows.reduce((all, { count }) => all + Number(count), 0),
    amount: toRupees(rows.reduce((all, { amount }) => all + Number(amount), 0)),
    since: earliest(rows.flatMap(({ since }) => since ?? [])),
    couriers: rows.map(({ courier: name, count, amount }) => ({ courier: name, count: Number(count), amount: toRupees(amount) })),
  };
};

const sumAmounts = (amounts: readonly { readonly amount: Paise }[]): number => rupees(sum(amounts.map(({ amount }) => amount)));

const states = (db: Kysely<ReadModels>) => db.selectFrom('payment_statuses').select('state').where('placed_at', 'is not', null);

const sumPaidSince = async (db: Kysely<ReadModels>, today: Instant): Promise<PaymentSums['paid_today']> => {
  const rows = await states(db).where('paid_at', '>=', today).execute();
  const incomes = rows.flatMap(({ state }) => (state === null ? [] : listIncomes(parsePayment({ state })).filter(({ at }) => at >= today)));
  return { count: rows.length, amount: sumAmounts(incomes) };
};

const sumRefunds = async (db: Kysely<ReadModels>): Promise<Sum> => {
  const rows = await states(db).where('is_refunding', '=', sql.lit(true)).execute();
  const open = rows.flatMap(({ state }) =>
    state === null ? [] : parsePayment({ state }).refunds.filter(({ status }) => status === 'requested'),
  );
  return { count: open.length, amount: sumAmounts(open), since: earliest(open.map(({ at }) => at)) };
};

const countMismatches = async (db: Kysely<ReadModels>): Promise<PaymentSums['mismatch']> => {
  const [orders, payments] = await Promise.all([
    ordersWith(db).where('s.is_mismatched', '=', sql.lit(true)).executeTakeFirstOrThrow(),
    db
      .selectFrom('unknown_payments')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  const unknown = Number(payments.count);
  return { count: Number(orders.count) + unknown, unknown };
};

/** Returns the sums of the lists of payments; the day begins at `today`. */
export const sumPayments = async ({ db }: Databases, today: Instant): Promise<PaymentSums> => {
  const [due, paid_today, with_couriers, refunding, mismatch] = await Promise.all([
    sumDue(db),
    sumPaidSince(db, today),
    sumWithCouriers({ db }),
    sumRefunds(db),
    countMismatches(db),
  ]);
  return { due, paid_today, with_couriers, refunding, mismatch };
};
