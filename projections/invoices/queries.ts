import type pg from 'pg';

import { NO_STREAM, type LogPosition, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import { nameTable } from '../engine/table-set.ts';
import { taxDocuments, type TaxDocumentRow } from './projector.ts';

/** Both days are inclusive. */
export type Days = { readonly from?: CalendarDate | undefined; readonly to?: CalendarDate | undefined };

/** The list is sorted newest first; the next page begins below this number. */
export type TaxDocumentCursor = { readonly stream: string; readonly revision: number };

export type InvoiceQuery = Days & {
  readonly limit: number;
  /** The text is a part of the invoice's or the order's number. */
  readonly text?: string | undefined;
  readonly after?: TaxDocumentCursor | undefined;
};

export type InvoicePage = { readonly invoices: readonly TaxDocumentRow[]; readonly nextCursor: string | null };

/** Returns `undefined` for an invalid cursor. */
export const taxDocumentCursor = (text: string): TaxDocumentCursor | undefined => {
  const [, stream, revision] = /^(invoices-\d{4}-\d{4}) (\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return stream === undefined ? undefined : { stream, revision: Number(revision) };
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

export type TaxDocuments = {
  /** For who writes the next one: a tax document that is not here is later in the stream than the head. */
  issued(stream: StreamName, order: OrderId): Promise<Issued>;
  /** Returns the positions of each order's invoice and of its credit notes in their order. */
  of(orders: readonly OrderId[]): Promise<ReadonlyMap<OrderId, { readonly invoice: LogPosition; readonly notes: readonly LogPosition[] }>>;
  page(question: InvoiceQuery): Promise<InvoicePage>;
  /** Returns the sums by state, then by rate, the highest first. */
  taxed(days: Days): Promise<readonly TaxedSums[]>;
};

type IssuedRow = { position: LogPosition | null; revision: number | null; hash: string | null };

// A single statement sees a single state of the tables.
const ISSUED = {
  invoices: `select i.position, h.revision, h.hash from (select 1) one
    left join lateral (select revision, hash from ${nameTable(taxDocuments, 'invoices')} where stream = $1 order by revision desc limit 1) h on true
    left join ${nameTable(taxDocuments, 'invoices')} i on i.order_id = $2 order by i.revision`,
  credit_notes: `select n.position, h.revision, h.hash from (select 1) one
    left join lateral (select revision, hash from ${nameTable(taxDocuments, 'credit_notes')} where stream = $1 order by revision desc limit 1) h on true
    left join ${nameTable(taxDocuments, 'credit_notes')} n on n.order_id = $2 order by n.position`,
};

const OF = `select i.order_id, i.position as invoice, array_agg(n.position order by n.position) filter (where n.number is not null) as notes
  from ${nameTable(taxDocuments, 'invoices')} i left join ${nameTable(taxDocuments, 'credit_notes')} n using (order_id) where i.order_id = any($1) group by 1, 2`;

type OfRow = { order_id: OrderId; invoice: LogPosition; notes: readonly unknown[] | null };

const TAXED = `select key::json->>1 as state, (key::json->>2)::float8 as rate, sum(taxable_value)::float8 as "taxableValue",
    sum(cgst)::float8 as cgst, sum(sgst)::float8 as sgst, sum(igst)::float8 as igst
  from ${nameTable(taxDocuments, 'taxed')} where ($1::text is null or key::json->>0 >= $1) and ($2::text is null or key::json->>0 <= $2)
  group by 1, 2 having sum(taxable_value) <> 0 or sum(cgst + sgst + igst) <> 0 order by 1, 2 desc`;

const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export const taxDocumentQueries = ({ pool }: { readonly pool: pg.Pool }): TaxDocuments => ({
  issued: async (stream, order) => {
    const kind = stream.startsWith('invoices-') ? 'invoices' : 'credit_notes';
    const { rows } = await pool.query<IssuedRow>({ name: `issued-${kind}`, text: ISSUED[kind], values: [stream, order] });
    const [first] = rows;
    const isStarted = first !== undefined && first.revision !== null && first.hash !== null;
    return {
      taxDocuments: rows.flatMap(({ position }) => position ?? []),
      head: isStarted ? { revision: first.revision ?? 0, hash: first.hash ?? '' } : NO_STREAM,
    };
  },
  of: async (orders) => {
    const { rows } = await pool.query<OfRow>({ name: 'papers-of', text: OF, values: [orders] });
    // Postgres returns arrays of numbers as texts.
    return new Map(
      rows.map(({ order_id, invoice, notes }) => [
        order_id,
        { invoice, notes: (notes ?? []).map((each) => BigInt(String(each)) as LogPosition) },
      ]),
    );
  },
  page: async ({ limit, text, from, to, after }) => {
    const values: unknown[] = [limit + 1];
    const given = (value: unknown): string => `$${values.push(value)}`;
    const conditions = ['true'];
    if (from !== undefined) conditions.push(`date >= ${given(from)}`);
    if (to !== undefined) conditions.push(`date <= ${given(to)}`);
    if (after) conditions.push(`(stream, revision) < (${given(after.stream)}, ${given(after.revision)})`);
    if (text !== undefined && text !== '') {
      const like = given(likeText(text));
      conditions.push(`(number ilike ${like} or order_number ilike ${like})`);
    }
    const { rows } = await pool.query<TaxDocumentRow>({
      text: `select * from ${nameTable(taxDocuments, 'invoices')} where ${conditions.join(' and ')} order by stream desc, revision desc limit $1`,
      values,
    });
    const invoices = rows.slice(0, limit);
    const last = rows.length > limit ? invoices.at(-1) : undefined;
    return { invoices, nextCursor: last ? Buffer.from(`${last.stream} ${last.revision}`).toString('base64url') : null };
  },
  taxed: async ({ from = null, to = null }) => {
    const { rows } = await pool.query<TaxedSums>({ name: 'taxed', text: TAXED, values: [from, to] });
    return rows;
  },
});
