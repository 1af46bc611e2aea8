import { useSelector } from 'react-redux';
import { Navigate, useLocation } from 'react-router-dom';
import { selectAuth } from '../../features/auth/auth-slice.ts';
import { signInAddress } from '../../features/auth/sign-in-address.ts';
import { MyOrdersPage, OrdersComing } from '../../features/orders/history/MyOrdersPage.tsx';
import { useSteadyLoading } from '../../ui/use-steady-loading.ts';

/** For who is signed in; everybody else signs in first, and is led back. */
export const MyOrders = () => {
  const { user, loading } = useSelector(selectAuth);
  const location = useLocation();
  const isUnknown = user === null && loading;
  const skeletonDrawn = useSteadyLoading(isUnknown);
  if (user !== null) return <MyOrdersPage />;
  // Whether somebody is signed in is being asked, nobody is sent away before the answer.
  return isUnknown ? <OrdersComing drawn={skeletonDrawn} /> : <Navigate to={signInAddress(location)} replace />;
};
