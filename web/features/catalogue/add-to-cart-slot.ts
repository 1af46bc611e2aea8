import type { ComponentType } from 'react';
import type { ProductView } from '#domain/product/view.ts';

/**
 * What puts a product into the cart. The catalogue knows no cart: `app` hands it the cart's button, and without one no product
 * shows a button. It is asked only for what can be bought: in stock, and with a price.
 */
export type AddToCartSlot = ComponentType<{
  readonly product: ProductView;
  readonly quantity: number;
  /** A text action on a card, the page's one strong button on the product page. */
  readonly look: 'link' | 'button';
  /** Where it stands, not how it looks. */
  readonly className?: string;
}>;
