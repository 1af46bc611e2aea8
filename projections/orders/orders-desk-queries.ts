import { sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from 'kysely';

import type { Actor } from '#domain/event-store.ts';
import { handlingLists, nextSteps, type HandlingList, type NextStep, type ReturnStep } from '#domain/order/next-steps.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { anyOf, containing, prepare, unnamed, type Given } from '../storage/prepare.ts';
import { cashRefundsToSend, deskReturnQueries } from './desk-return-queries.ts';
import { isBeyond, readPage, viewFound, type FoundOrder, type OrderCursor, type OrderPage } from './order-rows.ts';
import { searchText, type DeskRow } from './orders-desk.ts';

/**
 * Staff get the view of shoppers, with the actor of the last change, whether the order is a guest's, and a sentence for each mismatch of its
 * payment. `mailProblem` is not in the log, so the caller fills it in.
 */
export type DeskView = OrderView & {
  readonly changedBy: Actor;
  readonly guest: boolean;
  readonly mismatch?: string;
  readonly mailProblem: null;
};

/** The filters apply to placed orders. `text` is searched in order number, name and e-mail address. */
export type DeskQuery = {
  readonly limit: number;
  readonly status?: OrderStatus | undefined;
  readonly text?: string | undefined;
  /** The whole number of an order, which a name or e-mail address cannot imitate. */
  readonly number?: string | undefined;
  readonly next?: NextStep | undefined;
  /** The day in India, by which orders are overdue. */
  readonly today?: CalendarDate | undefined;
  readonly ids?: readonly OrderId[] | undefined;
  /** The list is sorted newest first without it. */
  readonly oldestFirst?: true | undefined;
  readonly after?: OrderCursor | undefined;
};

/** How many orders are in each list of what is next. */
export type NextCounts = Readonly<Record<NextStep, number>>;

export type OrdersDesk = {
  page(question: DeskQuery): Promise<OrderPage<DeskView>>;
  count(today: CalendarDate): Promise<NextCounts>;
  /** Returns the id of the placed order with this number. */
  findId(number: OrderNumber): Promise<OrderId | undefined>;
};

type FoundRow = FoundOrder & Pick<DeskRow, 'changed_by' | 'guest'> & { readonly mismatch: string | null };

const viewDesk = ({ mismatch, ...row }: FoundRow): DeskView => ({
  ...viewFound(row),
  changedBy: JSON.parse(row.changed_by) as Actor, // written by `DeskOrder`
  guest: row.guest,
  mailProblem: null,
  ...(mismatch !== null && { mismatch }),
});

/** The status of a payment is that of its own row as soon as there is one. */
const MONEY = sql`coalesce(p.status, o.payment_status)`;
const STEP_BY_STAFF = (step: NextStep) => sql<SqlBool>`(o.step = ${sql.lit(step)} and ${MONEY} not in ('due', 'refunded'))`;

const handling = (today: Expression<CalendarDate>): Readonly<Record<HandlingList, RawBuilder<SqlBool>>> => ({
  confirm: STEP_BY_STAFF('confirm'),
  pay: sql`(o.step = 'confirm' and ${MONEY} = 'due')`,
  pack: STEP_BY_STAFF('pack'),
  ship: STEP_BY_STAFF('ship'),
  overdue: sql`(o.overdue_from <= ${today} and ${MONEY} <> 'due')`,
});

/** A return `r` of the order. */
const returnIs: Readonly<Record<Exclude<ReturnStep, 'refund'>, RawBuilder<SqlBool>>> = {
  decide: sql`r.status = 'requested'`,
  receive: sql`r.status = 'accepted'`,
};

/** Only these orders are to be confirmed, paid, packed or shipped, or late; an index has them. */
const UNDER_WAY = sql<SqlBool>`o.overdue_from is not null`;

const isHandling = (step: NextStep): step is HandlingList => handlingLists.some((list) => list === step);

/** Selects one row more than the limit, to find out whether there is a next page. */
const preparePage = (next?: NextStep) =>
  prepare((db: Kysely<ReadModels>, given: Given<DeskQuery>, has) => {
    const order = has.oldestFirst ? 'asc' : 'desc';
    let query = db
      .selectFrom('orders_desk as o')
      .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
      .select(['o.order_id', 'o.placed_at', 'o.state', 'o.changed_by', 'o.guest', 'p.state as money', 'p.mismatch'])
      .where('o.placed_at', 'is not', null)
      .orderBy('o.placed_at', order)
      .orderBy('o.order_id', order)
      .limit(given(({ limit }) => limit + 1));
    if (next && isHandling(next)) query = query.where(UNDER_WAY).where(handling(given('today'))[next]);
    else if (next === 'refund') query = query.where('o.order_id', 'in', cashRefundsToSend(db));
    else if (next)
      query = query.where(({ exists, selectFrom }) =>
        exists(selectFrom('orders_desk_returns as r').whereRef('r.order_id', '=', 'o.order_id').where(returnIs[next]).select('r.order_id')),
      );
    if (has.status) query = query.where('o.status', '=', given('status'));
    if (has.number) query = query.where(sql<SqlBool>`o.number = ${given('number')}`);
    if (has.ids) query = query.where('o.order_id', '=', anyOf(given('ids')));
    if (has.after) query = query.where(isBeyond(given, has.oldestFirst ? 'oldest' : 'newest'));
    if (!has.text) return query;
    const pattern = given(({ text = '' }) => containing(text));
    // Either the trigram index or the order by time is faster for a search.
    return query.where('o.search', 'like', pattern).modifyFront(unnamed);
  });

const findPage = preparePage();
const findPageOf = Object.fromEntries(nextSteps.map((step) => [step, preparePage(step)])) as Record<NextStep, typeof findPage>;

const countAll = prepare((db: Kysely<ReadModels>, given: Given<{ readonly today: CalendarDate }>) => {
  const matching = handling(given('today'));
  return db
    .selectFrom('orders_desk as o')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
    .select(handlingLists.map((step) => sql<number>`count(*) filter (where ${matching[step]})`.as(step)))
    .where(UNDER_WAY);
});

const countToRefund = prepare((db: Kysely<ReadModels>) =>
  db
    .selectFrom('orders_desk as o')
    .select(sql<number>`count(*)`.as('refund'))
    .where('o.placed_at', 'is not', null)
    .where('o.order_id', 'in', cashRefundsToSend(db)),
);

const findByNumber = prepare((db: Kysely<ReadModels>, given: Given<{ readonly number: OrderNumber }>) =>
  db.selectFrom('orders_desk').select('order_id').where('number', '=', given('number')),
);

export const ordersDeskQueries = ({ db }: Pick<ReadDatabase, 'db'>): OrdersDesk => ({
  page: async (question) => {
    const text = searchText(question.text ?? '') || undefined;
    const find = question.next ? findPageOf[question.next] : findPage;
    return readPage(await find(db, { ...question, text }), question.limit, viewDesk);
  },
  count: async (today) => {
    const [[counted], [toRefund], returns] = await Promise.all([
      countAll(db, { today }),
      countToRefund(db, {}),
      deskReturnQueries({ db }).counts(),
    ]);
    const handled = Object.fromEntries(handlingLists.map((list) => [list, counted?.[list] ?? 0])) as Record<HandlingList, number>;
    return { ...handled, decide: returns.requested, receive: returns.accepted, refund: toRefund?.refund ?? 0 };
  },
  findId: async (number) => (await findByNumber(db, { number }))[0]?.order_id,
});
