import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { loggedOut, selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { ArtisanCircle } from '../../features/newsletter/ArtisanCircle.tsx';
import { OrderDetailsPage } from '../../features/orders/details/OrderDetailsPage.tsx';
import { GoodbyePage } from '../GoodbyePage.tsx';

/** Guests may erase their data here; a user's orders are erased with the account. */
export const OrderDetailsScreen = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const dispatch = useDispatch();
  const [erased, setErased] = useState<string>();
  if (erased !== undefined) return <GoodbyePage message={erased} />;
  const leave = (message: string): void => {
    setErased(message);
    dispatch(loggedOut());
  };
  return <OrderDetailsPage Newsletter={ArtisanCircle} onErased={user === null && !isUnknown ? leave : undefined} />;
};
