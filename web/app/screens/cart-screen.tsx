import { useState } from 'react';
import { useSelector } from 'react-redux';
import { BESTSELLERS } from '#domain/first-calls.ts';
import { CartPage } from '../../features/cart/CartPage.tsx';
import { selectCart } from '../../features/cart/cart-slice.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { type Screen, withoutSubscription } from '../screen.ts';
import { Bestsellers } from './Bestsellers.tsx';

/** The cart, and under it what else is liked: two features meet. */
const CartWithSuggestions = () => <CartPage suggestions={<Suggestions />} />;

/** What is in the cart when they are first shown is no news. What is added from among them stays: a card must not vanish under the finger. */
const Suggestions = () => {
  const { items } = useSelector(selectCart);
  const [inCart] = useState(() => items.map(({ productId }) => productId));
  return <Bestsellers title="You May Also Like" without={inCart} />;
};

const { products } = catalogueApi.endpoints;

export const cartScreen: Screen = {
  Component: CartWithSuggestions,
  firstCalls: (dispatch) => dispatch(products.initiate(BESTSELLERS.params, withoutSubscription)),
};
