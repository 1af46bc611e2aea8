import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectAuth } from '../../features/auth/auth-slice.ts';
import { signInAddress } from '../../features/auth/return-path.ts';
import { callRepeated, cartOpened, cartRequested, selectCart, selectIsLoaded } from '../../features/cart/cart-slice.ts';
import { selectContent } from '../../features/content/content-slice.ts';
import { CheckoutPage } from '../../features/orders/checkout/CheckoutPage.tsx';

export const CheckoutScreen = () => {
  const dispatch = useDispatch();
  const { items, error } = useSelector(selectCart);
  const known = useSelector(selectIsLoaded);
  const { user, loading } = useSelector(selectAuth);
  const content = useSelector(selectContent);
  const location = useLocation();
  // Prices and stock are refetched before the shopper fills in the form.
  useEffect(() => void dispatch(cartOpened()), [dispatch]);
  return (
    <CheckoutPage
      cart={{
        items,
        known,
        problem: error ?? undefined,
        onRetry: () => dispatch(cartRequested()),
        onRepeat: () => dispatch(callRepeated()),
      }}
      shopper={user}
      shopperLoading={loading}
      provider={content?.checkout.provider}
      signIn={signInAddress(location)}
    />
  );
};
