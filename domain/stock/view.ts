import { computeAvailable, type Stock } from './stock.ts';

/** The view is JSON for admins, and its numbers are bottles. */
export type StockView = {
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
  /** Once this many or fewer are available, the product is listed as low; null means never. */
  readonly lowAt: number | null;
};

/** Returns null when the product is not counted. */
export const viewStock = (stock: Pick<Stock, 'isCounted' | 'onHand' | 'reserved' | 'lowAt'>): StockView | null => {
  const { isCounted, onHand, reserved, lowAt } = stock;
  return isCounted ? { onHand, reserved, available: computeAvailable(stock), lowAt } : null;
};

/** Returns whether a counted product is listed as low. */
export const isLow = (stock: StockView | null): boolean => stock !== null && stock.lowAt !== null && stock.available <= stock.lowAt;

/** Shoppers see the number of bottles up to this number. */
const FEW = 5;

/** Returns the number of bottles that shoppers see: 1 to 5; undefined for more, for none, and for a product that is not counted (null). */
export const fewLeft = (available: number | null): number | undefined =>
  available !== null && available > 0 && available <= FEW ? available : undefined;
