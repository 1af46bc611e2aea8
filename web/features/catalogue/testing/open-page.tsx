import { vi } from 'vitest';
import { renderShop } from '../../../testing/shop.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { ProductPage } from '../product/ProductPage.tsx';
import { ShopPage } from '../listing/ShopPage.tsx';

/** Lets a test decide what is in sight: the DOM of the tests has no layout. */
class Sight {
  static readonly watching = new Set<Sight>();
  constructor(private readonly look: (entries: Pick<IntersectionObserverEntry, 'isIntersecting'>[]) => void) {}
  observe = () => void Sight.watching.add(this);
  disconnect = () => void Sight.watching.delete(this);
  see = (isIntersecting: boolean) => this.look([{ isIntersecting }]);
}

/** The shopper, further up until now, scrolls to within 400 px of the end of what is there. */
export const scrollNearTheEnd = (): void => {
  scrollPast();
  stayNearTheEnd();
};

/** The shopper is near the end already, when more comes. */
export const stayNearTheEnd = (): void => {
  for (const sight of Sight.watching) sight.see(true);
};

/** What was in sight is scrolled away. */
export const scrollPast = (): void => {
  for (const sight of Sight.watching) sight.see(false);
};

/** Says what the cart's button was asked to add; the cart itself is another feature. */
export const AddButton: AddToCartSlot = ({ product, quantity, look }) => (
  <button type="button" data-look={look}>{`Add ${quantity} × ${product.name}`}</button>
);

type Options = { readonly AddToCart?: AddToCartSlot };

/** Opens an address of the catalogue in a shop with a store of its own. */
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
