import { ChevronDown, UserRound } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectUser } from '../../features/auth/auth-slice.ts';
import { FirstName, nameLook } from './FirstName.tsx';
import { signInAddress } from '../../features/auth/sign-in-address.ts';

/** Only who is signed in needs its script, a visitor's first page goes without. */
const UserMenu = lazy(async () => ({ default: (await import('./UserMenu.tsx')).UserMenu }));

/** At the end of the header: the way in, or who is in. On small screens both are in the menu. */
export const HeaderAccount = ({ className }: { readonly className: string }) => {
  const user = useSelector(selectUser);
  const location = useLocation();
  if (!user) {
    return (
      <Link to={signInAddress(location)} aria-label="Sign in" className={className}>
        <UserRound className="size-[1.375rem]" strokeWidth={1.5} />
      </Link>
    );
  }
  const coming = (
    <span className={nameLook}>
      <FirstName name={user.name} />
      <ChevronDown className="size-4" strokeWidth={1.5} />
    </span>
  );
  return (
    <Suspense fallback={coming}>
      <UserMenu user={user} />
    </Suspense>
  );
};
