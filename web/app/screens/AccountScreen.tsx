import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { AccountPage, JoinGoogle } from '../../features/account/AccountPage.tsx';
import { loggedOut, newSignInRequested, selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { GoogleSignIn } from '../../features/auth/GoogleSignIn.tsx';
import { GoodbyePage } from '../GoodbyePage.tsx';
import { SignInRedirect } from '../SignInRedirect.tsx';
import { Status } from '../../ui/feedback/Status.tsx';

/** Shows the account to signed-in shoppers and redirects others to the sign-in page, which returns here. */
export const AccountScreen = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const dispatch = useDispatch();
  const [erased, setErased] = useState<string>();
  if (erased !== undefined) return <GoodbyePage message={erased} />;
  if (user === null) return isUnknown ? <AccountLoading /> : <SignInRedirect />;
  const leave = (message: string): void => {
    setErased(message);
    dispatch(loggedOut());
  };
  return (
    <AccountPage
      key={user._id}
      user={user}
      thirdParty={<GoogleSignIn title="Join with" frame={JoinGoogle} />}
      onSignInAgain={() => dispatch(newSignInRequested())}
      onErased={leave}
    />
  );
};

const AccountLoading = () => (
  <div aria-busy="true" className="page-x pt-block">
    <h1 className="display text-h1">My Account</h1>
    <Status className="mt-2 text-clove">Loading your account...</Status>
  </div>
);
