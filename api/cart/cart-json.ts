import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { productJson } from '#projections/catalogue/indexed-product.ts';
import { jsonArray, encodeJson, type EncodedJson } from '#projections/reading/encoded-json.ts';

const itemJson = ({ product, ...item }: CartItemView): EncodedJson =>
  `${encodeJson(JSON.stringify(item)).slice(0, -1)},"product":${productJson(product)}}` as EncodedJson;

/** A cart as JSON. It consists mostly of products, whose JSON is cached. */
export const cartJson = ({ items, totalCartValue }: CartView): EncodedJson =>
  `{"items":${jsonArray(items.map(itemJson))},"totalCartValue":${totalCartValue}}` as EncodedJson;
