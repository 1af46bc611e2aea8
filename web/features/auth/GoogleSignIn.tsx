import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { optionsRequested, selectAuthScreen } from './auth-screen-slice.ts';
import { googleLoginRequested } from './auth-slice.ts';
import { DisabledGoogle } from './DisabledGoogle.tsx';
import { GoogleButton } from './GoogleButton.tsx';

/** 'Or sign in with': Google's own button where the shop has an account with Google, else why there is none. */
export const GoogleSignIn = () => {
  const dispatch = useDispatch();
  const { options } = useSelector(selectAuthScreen);
  useEffect(() => void dispatch(optionsRequested()), [dispatch]);
  return (
    <section aria-label="Other ways to sign in" className="mt-9">
      <p className="flex items-center gap-4 text-[0.875rem] text-clove before:h-px before:flex-1 before:bg-sandal after:h-px after:flex-1 after:bg-sandal">
        Or sign in with
      </p>
      {options === 'unknown' && <DisabledGoogle />}
      {options === 'missed' && <DisabledGoogle why="Google sign-in cannot be reached right now." />}
      {typeof options === 'object' &&
        (options.googleClientId === null ? (
          <DisabledGoogle why="Google sign-in is not configured on this server." />
        ) : (
          <GoogleButton
            clientId={options.googleClientId}
            nonce={options.googleNonce}
            onToken={(token) => dispatch(googleLoginRequested(token))}
          />
        ))}
    </section>
  );
};
