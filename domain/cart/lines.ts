import type { ProductId } from '../shared/ids.ts';
import type { CartLine, LineQuantity } from './events.ts';

type Lines = readonly CartLine[];

export const lineOf = (lines: Lines, productId: ProductId): CartLine | undefined => lines.find((line) => line.productId === productId);

/** Adds to a perfume's line, which keeps its place and takes the new name and price; a new line goes to the end. */
export const withMore = (lines: Lines, more: CartLine): Lines =>
  lineOf(lines, more.productId) === undefined
    ? [...lines, more]
    : lines.map((line) => (line.productId === more.productId ? { ...more, quantity: line.quantity + more.quantity } : line));

/** Sets a line's quantity; at 0 or less the line is removed. */
export const withQuantity = (lines: Lines, { productId, quantity }: LineQuantity): Lines =>
  quantity > 0
    ? lines.map((line) => (line.productId === productId ? { ...line, quantity } : line))
    : lines.filter((line) => line.productId !== productId);

/** Reduces a perfume's line, if there is one. */
export const withLess = (lines: Lines, { productId, quantity }: LineQuantity): Lines => {
  const held = lineOf(lines, productId)?.quantity ?? 0;
  return withQuantity(lines, { productId, quantity: held - quantity });
};
