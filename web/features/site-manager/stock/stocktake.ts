import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { csvText } from '#domain/shared/csv.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { MOST_BOTTLES } from '#domain/stock/stock.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { StockedProduct } from '../admin-types.ts';

/** What was typed into a row of the table. A field that was not touched is undefined. */
export type StockEdit = { readonly product: StockedProduct; readonly count?: string; readonly lowAt?: string };

/** By the id of the product. */
type Typed = {
  readonly edits: Readonly<Record<string, StockEdit | undefined>>;
  /** What the shop found wrong. */
  readonly found: Readonly<Record<string, string | undefined>>;
};

const initialState: Typed = { edits: {}, found: {} };
const without = <Of extends object>(of: Of, ids: readonly ProductId[]): Of =>
  Object.fromEntries(Object.entries(of).filter(([id]) => !ids.some((each) => each === id))) as Of;

/** What was typed belongs to the admin's store and not to the panel, so that it is still there when the panel was left. */
export const stocktakeSlice = createSlice({
  name: 'stocktake',
  initialState,
  reducers: {
    countTyped: ({ edits, found }, { payload }: PayloadAction<StockEdit>): Typed => {
      const { _id } = payload.product;
      return { edits: { ...edits, [_id]: { ...edits[_id], ...payload } }, found: without(found, [_id]) };
    },
    faultsFound: (state, { payload: found }: PayloadAction<Typed['found']>): Typed => ({ ...state, found }),
    countsBooked: ({ edits, found }, { payload: ids }: PayloadAction<readonly ProductId[]>): Typed => ({
      edits: without(edits, ids),
      found,
    }),
    countsDiscarded: () => initialState,
  },
});

/** The numbers that a row asks for. What does not change is undefined. */
export type StockDifference = {
  readonly product: StockedProduct;
  readonly count: number | undefined;
  readonly lowAt: number | null | undefined;
};

const WHOLE = `A whole number from 0 to ${formatNumber(MOST_BOTTLES)}`;

const parseBottles = (text: string): number | undefined =>
  /^\d{1,7}$/.test(text) && Number(text) <= MOST_BOTTLES ? Number(text) : undefined;

const textOf = (bottles: number | null | undefined): string => String(bottles ?? '');

/** Returns what a row shows: what was typed, else what is so. */
export const shownTexts = ({ stock }: StockedProduct, edit: StockEdit | undefined) => ({
  count: edit?.count ?? textOf(stock?.onHand),
  lowAt: edit?.lowAt ?? textOf(stock?.lowAt),
});

/** Returns whether the row asks for anything else than what is so. */
export const isTouched = ({ product, count, lowAt }: StockEdit): boolean =>
  (count !== undefined && count.trim() !== textOf(product.stock?.onHand)) ||
  (lowAt !== undefined && lowAt.trim() !== textOf(product.stock?.lowAt));

/** Returns why the row cannot be booked. */
export const findFault = (edit: StockEdit): string | undefined => {
  const { count, lowAt } = shownTexts(edit.product, edit);
  const { stock } = edit.product;
  const [bottles, mark] = [parseBottles(count.trim()), parseBottles(lowAt.trim())];
  if (bottles === undefined) return WHOLE;
  if (bottles < (stock?.reserved ?? 0)) return `${formatNumber(stock?.reserved ?? 0)} are reserved; it cannot be fewer`;
  return mark === undefined && lowAt.trim() !== '' ? `Warn at: ${WHOLE.toLowerCase()}` : undefined;
};

/** Returns the numbers of a row without a fault. */
export const toDifference = (edit: StockEdit): StockDifference => {
  const { product } = edit;
  const { count, lowAt } = shownTexts(product, edit);
  const [bottles, mark] = [parseBottles(count.trim()), parseBottles(lowAt.trim()) ?? null];
  return {
    product,
    count: bottles === product.stock?.onHand ? undefined : bottles,
    lowAt: mark === (product.stock?.lowAt ?? null) ? undefined : mark,
  };
};

const HEADER = ['productId', 'count'];

/** Returns the counts as the file that the shop takes as one stocktake. */
export const toCountsFile = (differences: readonly StockDifference[]): ArrayBuffer => {
  const lines = differences.flatMap(({ product, count }) => (count === undefined ? [] : [[product._id, String(count)]]));
  return new TextEncoder().encode(csvText([HEADER, ...lines])).buffer;
};

/** Returns all products as a file to be filled in. A count that is left empty stays as it is. */
export const toTemplate = (products: readonly StockedProduct[]): string =>
  csvText([[...HEADER, 'name'], ...products.map(({ _id, name, stock }) => [_id, textOf(stock?.onHand), name])]);

/** Returns the faults that the shop found, by product. Line 2 is that of the first count. */
export const faultsOf = (errors: Readonly<Record<string, string>>, differences: readonly StockDifference[]): Typed['found'] => {
  const counted = differences.filter(({ count }) => count !== undefined);
  const faults = Object.entries(errors).flatMap(([place, problem]) => {
    const of = counted[Number(/^line (\d+)/.exec(place)?.[1]) - 2];
    return of ? [[of.product._id, problem] as const] : [];
  });
  return Object.fromEntries(faults);
};
