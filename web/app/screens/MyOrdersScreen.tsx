import { useSelector } from 'react-redux';
import { selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { MyOrdersPage, OrdersLoading } from '../../features/orders/history/MyOrdersPage.tsx';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';
import { SignInRedirect } from '../SignInRedirect.tsx';

/** Shows orders to signed-in shoppers and redirects others to the sign-in page, which returns here. */
export const MyOrdersScreen = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const skeletonDrawn = useDelayedLoading(isUnknown);
  if (user !== null) return <MyOrdersPage key={user._id} />;
  // Nobody is redirected before it is known whether they are signed in.
  return isUnknown ? <OrdersLoading drawn={skeletonDrawn} /> : <SignInRedirect />;
};
