import { vi } from 'vitest';
import { renderShop } from '../../../testing/shop.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { ProductPage } from '../product/ProductPage.tsx';
import { ShopPage } from '../listing/ShopPage.tsx';

/** A fake IntersectionObserver: happy-dom has no layout. */
class Sight {
  static readonly watching = new Set<Sight>();
  constructor(private readonly look: (entries: Pick<IntersectionObserverEntry, 'isIntersecting'>[]) => void) {}
  observe = () => void Sight.watching.add(this);
  disconnect = () => void Sight.watching.delete(this);
  see = (isIntersecting: boolean) => this.look([{ isIntersecting }]);
}

/** Scrolls to within 400 px of the end, from further up. */
export const scrollNearTheEnd = (): void => {
  scrollPast();
  stayNearTheEnd();
};

/** More arrives while the shopper is near the end already. */
export const stayNearTheEnd = (): void => {
  for (const sight of Sight.watching) sight.see(true);
};

/** Scrolls the observed element out of view. */
export const scrollPast = (): void => {
  for (const sight of Sight.watching) sight.see(false);
};

/** Stands in for the cart's button and shows what it was asked to add. */
export const AddButton: AddToCartSlot = ({ product, quantity, look }) => (
  <button type="button" data-look={look}>{`Add ${quantity} × ${product.name}`}</button>
);

type Options = { readonly AddToCart?: AddToCartSlot };

/** Renders a catalogue page at an address, with a store of its own. */
export const openPage = (address: string, { AddToCart }: Options = {}) => {
  Sight.watching.clear();
  vi.stubGlobal('IntersectionObserver', Sight);
  const slot = AddToCart && { AddToCart };
  const routes = [
    { path: '/', element: <p>Home</p> },
    { path: '/shop', element: <ShopPage {...slot} /> },
    { path: '/product/:productId', element: <ProductPage {...slot} /> },
  ];
  return renderShop(routes, address).router;
};
