import { scrollByHand } from '../../../testing/in-view.ts';
import { renderShop } from '../../../testing/shop.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { ProductPage } from '../product/ProductPage.tsx';
import { ShopPage } from '../listing/ShopPage.tsx';

export const AddButton: AddToCartSlot = ({ product, quantity, look }) => (
  <button type="button" data-look={look}>{`Add ${quantity} × ${product.name}`}</button>
);

type Options = { readonly AddToCart?: AddToCartSlot };

export const openPage = (address: string, { AddToCart }: Options = {}) => {
  scrollByHand();
  const slot = AddToCart && { AddToCart };
  const routes = [
    { path: '/', element: <p>Home</p> },
    { path: '/shop', element: <ShopPage {...slot} /> },
    { path: '/product/:productId', element: <ProductPage {...slot} /> },
  ];
  return renderShop(routes, address).router;
};
