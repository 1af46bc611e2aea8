import type { ComponentType } from 'react';
import type { ProductView } from '#domain/product/view.ts';

/**
 * The cart's button, passed in by `app`, because the catalogue does not import the cart. It is only rendered for products that can be
 * bought: in stock and with a price.
 */
export type AddToCartSlot = ComponentType<{
  readonly product: ProductView;
  readonly quantity: number;
  /** A text link on a card, the main button on the product page. */
  readonly look: 'link' | 'button';
  /** Layout classes only. */
  readonly className?: string;
}>;
