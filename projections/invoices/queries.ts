import { sql, type Kysely } from 'kysely';

import { logPosition, NO_STREAM, type LogPosition, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { anyOf, containing, prepare, type Given } from '../storage/prepare.ts';
import type { TaxDocumentRow } from './projector.ts';

/** Both days are inclusive. */
export type Days = { readonly from?: CalendarDate | undefined; readonly to?: CalendarDate | undefined };

export type TaxDocumentQuery = Days & {
  readonly limit: number;
  /** The text is a part of the number of the document, of its invoice or of the order. */
  readonly text?: string | undefined;
  /** The next page begins below this position. */
  readonly after?: LogPosition | undefined;
};

export type TaxDocumentPage = { readonly rows: readonly TaxDocumentRow[]; readonly nextCursor: string | null };

/** Returns `undefined` for an invalid cursor. */
export const taxDocumentCursor = (text: string): LogPosition | undefined => {
  const [digits] = /^\d{1,18}$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return digits === undefined ? undefined : logPosition(BigInt(digits));
};

/** The sums of a state and a rate are in paise. */
export type TaxedSums = {
  readonly state: string;
  readonly rate: number;
  readonly taxableValue: number;
  readonly cgst: number;
  readonly sgst: number;
  readonly igst: number;
};

/** The tax documents of an order, and where the stream ended that was asked for, both of one moment. */
export type Issued = { readonly taxDocuments: readonly LogPosition[]; readonly head: StreamHead };

/** A single statement sees a single state of the tables. */
const prepareIssued = (table: 'invoices' | 'credit_notes') =>
  prepare((db: Kysely<ReadModels>, given: Given<{ readonly stream: StreamName; readonly order: OrderId }>) =>
    db
      .selectFrom(db.selectNoFrom(sql.lit(1).as('one')).as('one'))
      .leftJoinLateral(
        ({ selectFrom }) =>
          selectFrom(table)
            .select(['revision', 'hash'])
            .where('stream', '=', given('stream'))
            .orderBy('revision', 'desc')
            .limit(sql.lit(1))
            .as('head'),
        (join) => join.onTrue(),
      )
      .leftJoin(`${table} as paper`, (join) => join.on('paper.order_id', '=', given('order')))
      .select(['paper.position', 'head.revision', 'head.hash'])
      .orderBy('paper.position'),
  );
const findInvoice = prepareIssued('invoices');
const findCreditNotes = prepareIssued('credit_notes');

const findTaxDocuments = prepare((db: Kysely<ReadModels>, given: Given<{ readonly orders: readonly OrderId[] }>) =>
  db
    .selectFrom('invoices as i')
    .leftJoin('credit_notes as n', 'n.order_id', 'i.order_id')
    .select(['i.order_id', 'i.position as invoice', 'n.position as note'])
    .where('i.order_id', '=', anyOf(given('orders')))
    .orderBy('n.position'),
);

export const taxDocumentQueries = ({ db }: Pick<ReadDatabase, 'db'>) => ({
  /** For who writes the next one: a tax document that is not here is later in the stream than the head. */
  issued: async (stream: StreamName, order: OrderId): Promise<Issued> => {
    const rows = await (stream.startsWith('invoices-') ? findInvoice : findCreditNotes)(db, { stream, order });
    const { revision = null, hash = null } = rows[0] ?? {};
    return {
      taxDocuments: rows.flatMap(({ position }) => position ?? []),
      head: revision !== null && hash !== null ? { revision, hash } : NO_STREAM,
    };
  },
  /** Returns the positions of each order's invoice and of its credit notes in their order. */
  of: async (orders: readonly OrderId[]) => {
    const found = new Map<OrderId, { readonly invoice: LogPosition; readonly notes: readonly LogPosition[] }>();
    for (const { order_id, invoice, note } of await findTaxDocuments(db, { orders }))
      found.set(order_id, { invoice, notes: [...(found.get(order_id)?.notes ?? []), note ?? []].flat() });
    return found;
  },
  /** Invoices and credit notes, each under its own date, the last issued first. */
  page: async ({ limit, text, from, to, after }: TaxDocumentQuery): Promise<TaxDocumentPage> => {
    let query = db
      .selectFrom(db.selectFrom('invoices').selectAll().unionAll(db.selectFrom('credit_notes').selectAll()).as('paper'))
      .selectAll()
      .orderBy('position', 'desc')
      .limit(limit + 1);
    if (from !== undefined) query = query.where('date', '>=', from);
    if (to !== undefined) query = query.where('date', '<=', to);
    if (after !== undefined) query = query.where('position', '<', after);
    if (text) {
      const part = containing(text);
      query = query.where(({ eb, or }) =>
        or((['number', 'invoice', 'order_number'] as const).map((name) => eb(sql.ref<string>(name), 'ilike', part))),
      );
    }
    const found = await query.execute();
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return { rows, nextCursor: last ? Buffer.from(String(last.position)).toString('base64url') : null };
  },
  /** Returns the sums by state, then by rate, the highest first. */
  taxed: ({ from, to }: Days): Promise<readonly TaxedSums[]> => {
    const sum = (column: 'taxable_value' | 'cgst' | 'sgst' | 'igst') => sql<number>`sum(${sql.ref(column)})::float8`;
    let query = db
      .selectFrom('taxed')
      .select([
        'state',
        'rate',
        sum('taxable_value').as('taxableValue'),
        sum('cgst').as('cgst'),
        sum('sgst').as('sgst'),
        sum('igst').as('igst'),
      ])
      .groupBy(['state', 'rate'])
      .having(({ eb, or }) => or((['taxable_value', 'cgst', 'sgst', 'igst'] as const).map((column) => eb(sum(column), '<>', 0))))
      .orderBy('state')
      .orderBy('rate', 'desc');
    if (from !== undefined) query = query.where('date', '>=', from);
    if (to !== undefined) query = query.where('date', '<=', to);
    return query.execute();
  },
});

export type TaxDocuments = Readonly<ReturnType<typeof taxDocumentQueries>>;
