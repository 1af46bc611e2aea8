import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Actor } from '#domain/event-store.ts';
import { productId, type ProductId } from '#domain/shared/ids.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { viewStock, type StockView } from '#domain/stock/view.ts';

import type { ReadModels } from '../database.ts';

export type CountedProduct = { readonly _id: ProductId; readonly name: string; readonly stock: StockView };

/** The page has counted products on offer, sorted by id. `nextCursor` is null on the last page. */
export type StockPage = { readonly products: readonly CountedProduct[]; readonly nextCursor: string | null };

export const stockLists = ['all', 'counted', 'low', 'out', 'uncounted'] as const;
/** `low` and `out` are counted products with no more available than their low mark, and with none. */
export type StockList = (typeof stockLists)[number];

/** Any product on offer. `stock` and `counted`, when and by whom that was last, are null when it is not counted. */
export type StockedProduct = Pick<ProductView, '_id' | 'name' | 'inStock' | 'productImageUrl'> & {
  readonly stock: StockView | null;
  readonly counted: { readonly at: Instant; readonly by: Actor } | null;
};
/** `counts` has the length of each list. */
export type StockedPage = {
  readonly products: readonly StockedProduct[];
  readonly nextCursor: string | null;
  readonly counts: Readonly<Record<StockList, number>>;
};
/** Only products whose name contains `q`. */
export type StockListQuestion = {
  readonly list: StockList;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

const available = sql<number>`on_hand - reserved`;
const conditions: Readonly<Record<StockList, RawBuilder<boolean>>> = {
  all: sql`true`,
  counted: sql`is_counted is true`,
  low: sql`is_counted and ${available} <= low_at`,
  out: sql`is_counted and ${available} <= 0`,
  uncounted: sql`is_counted is not true`,
};

const offered = (db: Kysely<ReadModels>) =>
  db.selectFrom('catalogue').leftJoin('stock', 'catalogue.product_id', 'stock.product_id').where('removed', '=', false);

const countLists = async (db: Kysely<ReadModels>): Promise<StockedPage['counts']> => {
  const row = await offered(db)
    .select(stockLists.map((list) => sql<number>`count(*) filter (where ${conditions[list]})`.as(list)))
    .executeTakeFirstOrThrow();
  const { all, counted, low, out, uncounted } = row;
  return { all: Number(all), counted: Number(counted), low: Number(low), out: Number(out), uncounted: Number(uncounted) };
};

const listProducts = async (db: Kysely<ReadModels>, { list, q, limit, cursor }: StockListQuestion) => {
  let query = offered(db)
    .select(['catalogue.product_id', 'view', 'is_counted', 'on_hand', 'reserved', 'low_at', 'counted_at', 'counted_by'])
    .where(conditions[list]);
  if (cursor !== undefined) query = query.where('catalogue.product_id', '>', productId(cursor));
  if (q !== undefined) query = query.where(sql<boolean>`position(lower(${q}) in lower(name)) > 0`);
  return query
    .orderBy('catalogue.product_id')
    .limit(limit + 1)
    .execute();
};

type StockedRow = Awaited<ReturnType<typeof listProducts>>[number];

const viewStocked = (row: StockedRow): StockedProduct => {
  const { view, is_counted, on_hand: onHand, reserved, low_at: lowAt, counted_at: at, counted_by: by } = row;
  const { _id, name, productImageUrl, inStock }: ProductView = JSON.parse(view); // written by the projector
  const isCounted = is_counted === true && onHand !== null && reserved !== null;
  const stock = isCounted ? viewStock({ isCounted, onHand, reserved, lowAt }) : null;
  const counted = at === null || by === null ? null : { at, by: JSON.parse(by) as Actor }; // written by the projector
  return { _id, name, productImageUrl, inStock: stock ? stock.available > 0 : inStock, stock, counted };
};

/** If `low` is set, only products are returned whose available bottles do not exceed their low mark. */
export type StockQuestion = { readonly low: boolean; readonly limit: number; readonly cursor?: string | undefined };

/** Each query throws database errors. */
export const stockQueries = (db: Kysely<ReadModels>) => ({
  page: async ({ low, limit, cursor }: StockQuestion): Promise<StockPage> => {
    let query = db
      .selectFrom('stock')
      .innerJoin('catalogue', 'catalogue.product_id', 'stock.product_id')
      .select(['stock.product_id', 'name', 'on_hand', 'reserved', 'low_at'])
      .where('is_counted', '=', true)
      .where('removed', '=', false);
    if (cursor !== undefined) query = query.where('stock.product_id', '>', productId(cursor));
    if (low) query = query.where((where) => where(where('on_hand', '-', where.ref('reserved')), '<=', where.ref('low_at')));
    const rows = await query
      .orderBy('stock.product_id')
      .limit(limit + 1)
      .execute();
    const products = rows.slice(0, limit).flatMap(({ product_id: _id, name, on_hand: onHand, reserved, low_at: lowAt }) => {
      const stock = viewStock({ isCounted: true, onHand, reserved, lowAt });
      return stock ? [{ _id, name, stock }] : [];
    });
    return { products, nextCursor: rows.length > limit ? (products.at(-1)?._id ?? null) : null };
  },
  /** Lists products of this list, sorted by id. */
  list: async (question: StockListQuestion): Promise<StockedPage> => {
    const [rows, counts] = await Promise.all([listProducts(db, question), countLists(db)]);
    const products = rows.slice(0, question.limit).map(viewStocked);
    return { products, nextCursor: rows.length > question.limit ? (products.at(-1)?._id ?? null) : null, counts };
  },
  reserved: async (): Promise<readonly ProductId[]> => {
    const rows = await db.selectFrom('stock').select('product_id').where('is_counted', '=', true).where('reserved', '>', 0).execute();
    return rows.map(({ product_id }) => product_id);
  },
});

export type Stocks = Readonly<ReturnType<typeof stockQueries>>;
