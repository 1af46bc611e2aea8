import type { ProductId } from '../shared/ids.ts';
import type { CartLine, LineQuantity } from './events.ts';

type Lines = readonly CartLine[];

export const lineOf = (lines: Lines, productId: ProductId): CartLine | undefined => lines.find((line) => line.productId === productId);

/** More of a perfume: its line keeps its place, and shows name and price as of now. A new line goes to the end. */
export const withMore = (lines: Lines, more: CartLine): Lines =>
  lineOf(lines, more.productId) === undefined
    ? [...lines, more]
    : lines.map((line) => (line.productId === more.productId ? { ...more, quantity: line.quantity + more.quantity } : line));

/** So many of a perfume; at 0 or less its line is gone. */
export const withQuantity = (lines: Lines, { productId, quantity }: LineQuantity): Lines =>
  quantity > 0
    ? lines.map((line) => (line.productId === productId ? { ...line, quantity } : line))
    : lines.filter((line) => line.productId !== productId);

/** Less of a perfume, which need not be there. */
export const withLess = (lines: Lines, { productId, quantity }: LineQuantity): Lines => {
  const held = lineOf(lines, productId)?.quantity ?? 0;
  return withQuantity(lines, { productId, quantity: held - quantity });
};
