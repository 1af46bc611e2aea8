import type pg from 'pg';

import { NO_STREAM, type LogPosition, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import { nameTable } from '../engine/table-set.ts';
import { papers, type PaperRow } from './projector.ts';

/** Both days count. */
export type Days = { readonly from?: CalendarDate | undefined; readonly to?: CalendarDate | undefined };

/** A place in the list: numbers go down from there. */
export type PaperCursor = { readonly stream: string; readonly revision: number };

export type InvoiceQuery = Days & {
  readonly limit: number;
  /** Part of the invoice's or the order's number. */
  readonly text?: string | undefined;
  readonly after?: PaperCursor | undefined;
};

export type InvoicePage = { readonly invoices: readonly PaperRow[]; readonly nextCursor: string | null };

/** `undefined` for what is no cursor. */
export const paperCursor = (text: string): PaperCursor | undefined => {
  const [, stream, revision] = /^(invoices-\d{4}-\d{4}) (\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return stream === undefined ? undefined : { stream, revision: Number(revision) };
};

/** Sums of a state and a rate, in paise. */
export type TaxedSums = {
  readonly state: string;
  readonly rate: number;
  readonly taxableValue: number;
  readonly cgst: number;
  readonly sgst: number;
  readonly igst: number;
};

/** The papers of an order, and where the stream ended that was asked for, both of one moment. */
export type Issued = { readonly papers: readonly LogPosition[]; readonly head: StreamHead };

export type Papers = {
  /** For who writes the next one: a paper that is not here is later in the stream than the head. */
  issued(stream: StreamName, order: OrderId): Promise<Issued>;
  /** Of an order: the position of its invoice, and of its credit notes in their order. */
  of(orders: readonly OrderId[]): Promise<ReadonlyMap<OrderId, { readonly invoice: LogPosition; readonly notes: readonly LogPosition[] }>>;
  page(question: InvoiceQuery): Promise<InvoicePage>;
  /** By state, then by rate, the highest first. */
  taxed(days: Days): Promise<readonly TaxedSums[]>;
};

type IssuedRow = { position: LogPosition | null; revision: number | null; hash: string | null };

// One statement sees one state of the tables.
const ISSUED = {
  invoices: `select i.position, h.revision, h.hash from (select 1) one
    left join lateral (select revision, hash from ${nameTable(papers, 'invoices')} where stream = $1 order by revision desc limit 1) h on true
    left join ${nameTable(papers, 'invoices')} i on i.order_id = $2 order by i.revision`,
  credit_notes: `select n.position, h.revision, h.hash from (select 1) one
    left join lateral (select revision, hash from ${nameTable(papers, 'credit_notes')} where stream = $1 order by revision desc limit 1) h on true
    left join ${nameTable(papers, 'credit_notes')} n on n.order_id = $2 order by n.position`,
};

const OF = `select i.order_id, i.position as invoice, array_agg(n.position order by n.position) filter (where n.number is not null) as notes
  from ${nameTable(papers, 'invoices')} i left join ${nameTable(papers, 'credit_notes')} n using (order_id) where i.order_id = any($1) group by 1, 2`;

type OfRow = { order_id: OrderId; invoice: LogPosition; notes: readonly unknown[] | null };

const TAXED = `select key::json->>1 as state, (key::json->>2)::float8 as rate, sum(taxable_value)::float8 as "taxableValue",
    sum(cgst)::float8 as cgst, sum(sgst)::float8 as sgst, sum(igst)::float8 as igst
  from ${nameTable(papers, 'taxed')} where ($1::text is null or key::json->>0 >= $1) and ($2::text is null or key::json->>0 <= $2)
  group by 1, 2 having sum(taxable_value) <> 0 or sum(cgst + sgst + igst) <> 0 order by 1, 2 desc`;

const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export const papersIn = ({ pool }: { readonly pool: pg.Pool }): Papers => ({
  issued: async (stream, order) => {
    const kind = stream.startsWith('invoices-') ? 'invoices' : 'credit_notes';
    const { rows } = await pool.query<IssuedRow>({ name: `issued-${kind}`, text: ISSUED[kind], values: [stream, order] });
    const [first] = rows;
    const isStarted = first !== undefined && first.revision !== null && first.hash !== null;
    return {
      papers: rows.flatMap(({ position }) => position ?? []),
      head: isStarted ? { revision: first.revision ?? 0, hash: first.hash ?? '' } : NO_STREAM,
    };
  },
  of: async (orders) => {
    const { rows } = await pool.query<OfRow>({ name: 'papers-of', text: OF, values: [orders] });
    // Arrays of numbers come as texts.
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
    const { rows } = await pool.query<PaperRow>({
      text: `select * from ${nameTable(papers, 'invoices')} where ${conditions.join(' and ')} order by stream desc, revision desc limit $1`,
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
