import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { AccountPage } from '../../features/account/AccountPage.tsx';
import { logOut } from '../../features/auth/auth-api.ts';
import { loggedOut, logoutFailed, selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { api, messageOf } from '../../lib/http/api.ts';
import { GoodbyePage } from '../GoodbyePage.tsx';
import { SignInRedirect } from '../SignInRedirect.tsx';
import { Status } from '../../ui/Status.tsx';

/** For signed-in shoppers; others are redirected to the sign-in and back. */
export const AccountScreen = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const dispatch = useDispatch();
  const [erased, setErased] = useState<string>();
  if (erased !== undefined) return <GoodbyePage message={erased} />;
  if (user === null) return isUnknown ? <AccountLoading /> : <SignInRedirect />;
  // After the logout this page redirects to the sign-in by itself. If it fails, the shopper stays signed in and is told so.
  const signInAgain = (): void =>
    void logOut(api).then(
      () => dispatch(loggedOut()),
      (error: unknown) => dispatch(logoutFailed(messageOf(error, 'Logout failed'))),
    );
  const leave = (message: string): void => {
    setErased(message);
    dispatch(loggedOut());
  };
  return <AccountPage key={user._id} user={user} onSignInAgain={signInAgain} onErased={leave} />;
};

const AccountLoading = () => (
  <div aria-busy="true" className="page-x pt-block">
    <h1 className="display text-h1">My Account</h1>
    <Status className="mt-2 text-clove">Loading your account...</Status>
  </div>
);
