import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectUser } from '../../features/auth/auth-slice.ts';
import { signInAddress } from '../../features/auth/return-path.ts';
import { cartOpened, cartRequested, selectCart, selectIsLoaded } from '../../features/cart/cart-slice.ts';
import { selectContent } from '../../features/content/content-slice.ts';
import { CheckoutPage } from '../../features/orders/checkout/CheckoutPage.tsx';

/** The features meet here: the cart that is ordered, the shopper whose it is, the words of the shop. */
export const CheckoutScreen = () => {
  const dispatch = useDispatch();
  const { items, error } = useSelector(selectCart);
  const known = useSelector(selectIsLoaded);
  const user = useSelector(selectUser);
  const content = useSelector(selectContent);
  const location = useLocation();
  // Prices and stock as they are now, before anybody fills in a form for them.
  useEffect(() => void dispatch(cartOpened()), [dispatch]);
  return (
    <CheckoutPage
      cart={{ items, known, problem: error ?? undefined, onRetry: () => dispatch(cartRequested()) }}
      shopper={user}
      provider={content?.checkout.provider}
      signIn={signInAddress(location)}
    />
  );
};
