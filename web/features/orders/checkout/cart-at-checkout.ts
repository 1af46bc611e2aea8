import type { CartItemView } from '#domain/cart/view.ts';

/** What the checkout needs to know of the cart, which is another feature: `app` hands it over. */
export type CartAtCheckout = {
  readonly items: readonly CartItemView[];
  /** Whether it has been read yet: until then an empty list says nothing. */
  readonly known: boolean;
  /** It could not be read, and why. */
  readonly problem?: string | undefined;
  readonly onRetry?: () => void;
};
