import { useState } from 'react';
import { useSelector } from 'react-redux';
import { BESTSELLERS } from '#domain/site/pages.ts';
import { CartPage } from '../../features/cart/CartPage.tsx';
import { selectCart } from '../../features/cart/cart-slice.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { CartTexts } from '../../features/orders/checkout/CartTexts.tsx';
import { type Screen, withoutSubscription } from '../screen.ts';
import { Bestsellers } from './Bestsellers.tsx';
import { orders } from './order-saga-wiring.ts';

const CartWithSuggestions = () => <CartPage suggestions={<Suggestions />} texts={<CartTexts />} />;

/** Leaves out products that were in the cart when the page opened. Products added here stay: a card must not vanish when it is tapped. */
const Suggestions = () => {
  const { items } = useSelector(selectCart);
  const [inCart] = useState(() => items.map(({ productId }) => productId));
  return <Bestsellers title="You May Also Like" without={inCart} inStock />;
};

const { products } = catalogueApi.endpoints;

/** With the orders' slices, for the texts. */
export const cartScreen: Screen = {
  ...orders,
  Component: CartWithSuggestions,
  firstCalls: (dispatch) => dispatch(products.initiate(BESTSELLERS.params, withoutSubscription)),
};
