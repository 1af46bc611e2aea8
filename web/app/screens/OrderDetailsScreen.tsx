import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { hasDuty } from '#domain/staff/duties.ts';
import { loggedOut, selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { selectContent } from '../../features/content/content-slice.ts';
import { ArtisanCircle } from '../../features/newsletter/ArtisanCircle.tsx';
import { OrderDetailsPage } from '../../features/orders/details/OrderDetailsPage.tsx';
import { GoodbyePage } from '../GoodbyePage.tsx';

/** Guests may erase their data here; a user's orders are erased with the account. */
export const OrderDetailsScreen = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const dispatch = useDispatch();
  const content = useSelector(selectContent);
  const [erased, setErased] = useState<string>();
  if (erased !== undefined) return <GoodbyePage message={erased} />;
  const leave = (message: string): void => {
    setErased(message);
    dispatch(loggedOut());
  };
  const returnsTo = ['RUHANI, Returns', ...(content?.footer.contact.address ?? [])];
  return (
    <OrderDetailsPage
      Newsletter={ArtisanCircle}
      onErased={user === null && !isUnknown ? leave : undefined}
      returnsTo={returnsTo}
      mayReview={user !== null}
      readsInvoices={hasDuty(user?.roles ?? [], 'invoices')}
    />
  );
};
