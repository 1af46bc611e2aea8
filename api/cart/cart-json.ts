import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { productJson } from '#projections/catalogue/indexed-product.ts';
import { arrayOf, toWire, type Wire } from '#projections/reading/encoded-json.ts';

const itemJson = ({ product, ...item }: CartItemView): Wire =>
  `${toWire(JSON.stringify(item)).slice(0, -1)},"product":${productJson(product)}}` as Wire;

/** A cart as JSON. It consists mostly of products, whose JSON is cached. */
export const cartJson = ({ items, totalCartValue }: CartView): Wire =>
  `{"items":${arrayOf(items.map(itemJson))},"totalCartValue":${totalCartValue}}` as Wire;
