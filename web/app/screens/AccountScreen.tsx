import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { AccountPage } from '../../features/account/AccountPage.tsx';
import { loggedOut, newSignInRequested, selectIsUnknown, selectUser, userFetched } from '../../features/auth/auth-slice.ts';
import { useSignInOptionsQuery } from '../../features/auth/sign-in-api.ts';
import { AddToCartButton } from '../../features/cart/AddToCartButton.tsx';
import { Wishlist } from '../../features/catalogue/Wishlist.tsx';
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
  const googleClientId = useSignInOptionsQuery(undefined, { skip: user === null }).data?.googleClientId ?? null;
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
      google={googleClientId === null || user.roles.length > 0 ? null : <GoogleSignIn joins />}
      wishlist={<Wishlist AddToCart={AddToCartButton} />}
      onChanged={(change) => dispatch(userFetched({ ...user, ...change }))}
      onSignInAgain={() => dispatch(newSignInRequested())}
      onErased={leave}
    />
  );
};

const AccountLoading = () => (
  <div aria-busy="true" className="page-x pt-block">
    <h1 className="display text-h1">Your account</h1>
    <Status className="mt-2 text-clove">Loading your account...</Status>
  </div>
);
