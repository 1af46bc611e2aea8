import type { ComponentType } from 'react';
import type { ProductView } from '#domain/product/view.ts';

/**
 * The cart's button, passed in by `app`, because the catalogue must not import the cart. It is rendered only for products that can be
 * bought: in stock and with a price.
 */
export type AddToCartSlot = ComponentType<{
  readonly product: ProductView;
  readonly quantity: number;
  readonly look: 'link' | 'button';
  /** Only layout classes are allowed. */
  readonly className?: string;
}>;
