import { LogOut, Package, ScrollText, UserRound } from 'lucide-react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import { logoutRequested, selectAuth } from '../../features/auth/auth-slice.ts';
import { signInAddress } from '../../features/auth/sign-in-address.ts';

const row = 'flex min-h-12 w-full items-center gap-3';

/** The way in, or who is in and what is theirs: the end of the menu of small screens. */
export const MobileAccount = () => {
  const dispatch = useDispatch();
  const location = useLocation();
  const { user, loading } = useSelector(selectAuth);
  if (!user) {
    return (
      <Link to={signInAddress(location)} className={row}>
        <UserRound className="size-5" strokeWidth={1.5} />
        Sign In
      </Link>
    );
  }
  return (
    <div className="mt-2 border-t border-sandal pt-4 wrap-anywhere">
      <p className="display text-xl">{user.name}</p>
      <p className="text-sm text-clove">{user.email}</p>
      <Link to={pages.myOrders} className={`mt-2 ${row}`}>
        <Package className="size-5" strokeWidth={1.5} />
        Orders
      </Link>
      <Link to={pages.account} className={row}>
        <UserRound className="size-5" strokeWidth={1.5} />
        Account
      </Link>
      {(user.isAuditor || user.isAdmin) && (
        <Link to={pages.audit} className={row}>
          <ScrollText className="size-5" strokeWidth={1.5} />
          Audit
        </Link>
      )}
      <button type="button" disabled={loading} onClick={() => dispatch(logoutRequested())} className={row}>
        <LogOut className="size-5" strokeWidth={1.5} />
        Logout
      </button>
    </div>
  );
};
