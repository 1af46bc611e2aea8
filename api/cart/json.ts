import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { productJson } from '#projections/catalogue/item.ts';
import { arrayOf, toWire, type Wire } from '#projections/wire.ts';

const itemJson = ({ product, ...item }: CartItemView): Wire =>
  `${toWire(JSON.stringify(item)).slice(0, -1)},"product":${productJson(product)}}` as Wire;

/** A cart as it goes over the wire. It consists of products above all, whose JSON is ready. */
export const cartJson = ({ items, totalCartValue }: CartView): Wire =>
  `{"items":${arrayOf(items.map(itemJson))},"totalCartValue":${totalCartValue}}` as Wire;
