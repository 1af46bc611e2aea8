import { availableIn, type Stock } from './stock.ts';

/** A product's stock as JSON for admins, in bottles. */
export type StockView = {
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
  /** From so few available on it is listed as low; null: never. */
  readonly lowAt: number | null;
};

/** Null when the product is not counted. */
export const viewStock = (stock: Pick<Stock, 'isCounted' | 'onHand' | 'reserved' | 'lowAt'>): StockView | null => {
  const { isCounted, onHand, reserved, lowAt } = stock;
  return isCounted ? { onHand, reserved, available: availableIn(stock), lowAt } : null;
};

/** Shoppers are told of at most so many bottles. */
const FEW = 5;

/** What shoppers are told of the bottles available: 1 to 5, undefined of more, of none, and of a product that is not counted (null). */
export const fewLeft = (available: number | null): number | undefined =>
  available !== null && available > 0 && available <= FEW ? available : undefined;
