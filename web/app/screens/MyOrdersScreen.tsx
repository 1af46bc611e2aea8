import { useSelector } from 'react-redux';
import { selectAuth } from '../../features/auth/auth-slice.ts';
import { MyOrdersPage, OrdersLoading } from '../../features/orders/history/MyOrdersPage.tsx';
import { useDelayedLoading } from '../../ui/use-delayed-loading.ts';
import { SignInRedirect } from '../SignInRedirect.tsx';

/** For who is signed in; everybody else signs in first, and is led back. */
export const MyOrdersScreen = () => {
  const { user, loading } = useSelector(selectAuth);
  const isUnknown = user === null && loading;
  const skeletonDrawn = useDelayedLoading(isUnknown);
  if (user !== null) return <MyOrdersPage />;
  // Whether somebody is signed in is being asked, nobody is sent away before the answer.
  return isUnknown ? <OrdersLoading drawn={skeletonDrawn} /> : <SignInRedirect />;
};
