import type { OrderItemView } from '#domain/order/view.ts';
import type { ProductView } from '#domain/product/view.ts';
import { parsePrice, ZERO } from '#domain/shared/money.ts';

export type AddedLine = { readonly product: ProductView; readonly quantity: number };

/**
 * `added` counts the lines that went to the cart, which took all of them if `isWhole`; `changes` are sentences about those that are gone, fewer
 * or cost something else.
 */
export type AgainOutcome = { readonly added: number; readonly isWhole: boolean; readonly changes: readonly string[] };

type Offered = { readonly item: OrderItemView; readonly product: ProductView | undefined };
type Choice = { readonly line: AddedLine | undefined; readonly changes: readonly string[] };

const chooseLine = ({ item: { product: sold, quantity }, product }: Offered): Choice => {
  if (product === undefined || parsePrice(product.price) === ZERO)
    return { line: undefined, changes: [`${sold.name} is no longer available.`] };
  if (!product.inStock) return { line: undefined, changes: [`${product.name} is out of stock.`] };
  const left = Math.min(quantity, product.left ?? quantity);
  return {
    line: { product, quantity: left },
    changes: [
      ...(left < quantity ? [`Only ${left} of ${quantity} ${product.name} are left.`] : []),
      ...(product.price === sold.price ? [] : [`${product.name} is ${product.price} now; it was ${sold.price}.`]),
    ],
  };
};

/** Chooses what of an order can be bought again, from the catalogue's products as they are now. */
export const chooseAgain = (offered: readonly Offered[]): { readonly lines: readonly AddedLine[]; readonly changes: readonly string[] } => {
  const choices = offered.map(chooseLine);
  return { lines: choices.flatMap(({ line }) => line ?? []), changes: choices.flatMap(({ changes }) => changes) };
};
