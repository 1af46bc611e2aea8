import type { Kysely } from 'kysely';

import { productId, type ProductId } from '#domain/shared/ids.ts';
import { viewStock, type StockView } from '#domain/stock/view.ts';

import type { ReadModels } from '../database.ts';

export type CountedProduct = { readonly _id: ProductId; readonly name: string; readonly stock: StockView };

/** The page has counted products on offer, sorted by id. `nextCursor` is null on the last page. */
export type StockPage = { readonly products: readonly CountedProduct[]; readonly nextCursor: string | null };

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
  reserved: async (): Promise<readonly ProductId[]> => {
    const rows = await db.selectFrom('stock').select('product_id').where('is_counted', '=', true).where('reserved', '>', 0).execute();
    return rows.map(({ product_id }) => product_id);
  },
});

export type Stocks = Readonly<ReturnType<typeof stockQueries>>;
