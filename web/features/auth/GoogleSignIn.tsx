import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { getMessage } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { authApi, type CodeRequired } from './auth-api.ts';
import { loggedIn } from './auth-slice.ts';
import { useSignInOptionsQuery } from './sign-in-api.ts';

export type GoogleId = {
  initialize(options: { client_id: string; nonce: string; callback: (answer: { credential: string }) => void }): void;
  renderButton(
    place: HTMLElement,
    look: { type: 'standard'; theme: 'outline'; size: 'large'; text: 'signin_with'; width: number; locale: string },
  ): void;
};

declare global {
  interface Window {
    readonly google?: { readonly accounts: { readonly id: GoogleId } };
  }
}

const ADDRESS = 'https://accounts.google.com/gsi/client';

let coming: Promise<GoogleId> | undefined;

/** Loads Google's script once; after a failure the next call tries again. It rejects with an Error. */
const googleId = (): Promise<GoogleId> => {
  if (window.google) return Promise.resolve(window.google.accounts.id);
  coming ??= fetchScript().finally(() => {
    coming = undefined;
  });
  return coming;
};

const fetchScript = (): Promise<GoogleId> =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: ADDRESS, async: true });
    const fail = (): void => {
      script.remove();
      reject(new Error('Failed to load the script of the Google button'));
    };
    script.addEventListener('error', fail);
    script.addEventListener('load', () => (window.google ? resolve(window.google.accounts.id) : fail()));
    document.head.append(script);
  });

const { useLogInWithGoogleMutation } = authApi;

type GoogleSignInProps = {
  /** On the page of an account, which is joined then. */
  readonly joins?: boolean;
  /** Called where the account has a second factor, whose code is still to be entered. On the account's own page it is joined by then. */
  readonly onCodeRequired?: (required: CodeRequired) => void;
};

/** Google's sign-in button, or a disabled one where the shop has no Google client id. On the page of an account it joins both. */
export const GoogleSignIn = ({ joins = false, onCodeRequired }: GoogleSignInProps) => {
  const dispatch = useDispatch();
  // Each visit of the screen fetches its own nonce.
  const { currentData: options, isError, refetch } = useSignInOptionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [logIn, { error, isLoading }] = useLogInWithGoogleMutation();
  const enter = async (token: string): Promise<void> => {
    if (isLoading) return;
    const { data: entered, error: refusal } = await logIn({ token, ...(joins && { join: true }) });
    if (entered) return 'user' in entered ? void dispatch(loggedIn(entered.user, entered.noRoomFor)) : onCodeRequired?.(entered);
    // Only the message is logged, because the error could contain the token.
    console.error(`Google login: ${refusal.message}`);
    // The nonce may have been used in another tab, so the next attempt needs a new one.
    if ('status' in refusal && refusal.code === 'invalid_token') void refetch();
  };
  return (
    <section aria-label="Other ways to sign in" className="mt-9">
      <p className="flex items-center gap-4 text-[0.875rem] text-clove before:h-px before:flex-1 before:bg-sandal after:h-px after:flex-1 after:bg-sandal">
        {joins ? 'Join with' : 'Or sign in with'}
      </p>
      {!options && !isError && <DisabledGoogle />}
      {isError && <DisabledGoogle why="Google sign-in cannot be reached right now." />}
      {options &&
        !isError &&
        (options.googleClientId === null ? (
          <DisabledGoogle why="Google sign-in is not configured on this server." />
        ) : (
          <GoogleButton
            key={options.googleNonce}
            clientId={options.googleClientId}
            nonce={options.googleNonce}
            onToken={(token) => void enter(token)}
          />
        ))}
      {error && <Alert className="mt-5">{getMessage(error)}</Alert>}
    </section>
  );
};

type GoogleButtonProps = { readonly clientId: string; readonly nonce: string; readonly onToken: (token: string) => void };

/** Google draws its button at most this many px wide. */
const WIDEST = 400;

/** Google's own button, rendered by Google's script, which loads with this component. */
const GoogleButton = ({ clientId, nonce, onToken }: GoogleButtonProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'coming' | 'there' | 'failed'>('coming');
  const took = useEffectEvent(onToken);
  useEffect(() => {
    if (state !== 'coming') return undefined;
    let isWaiting = true;
    const draw = async (): Promise<void> => {
      const google = await googleId();
      if (!isWaiting || !place.current) return;
      google.initialize({ client_id: clientId, nonce, callback: ({ credential }) => took(credential) });
      const width = Math.min(place.current.clientWidth, WIDEST);
      google.renderButton(place.current, { type: 'standard', theme: 'outline', size: 'large', text: 'signin_with', width, locale: 'en' });
      setState('there');
    };
    draw().catch((error: unknown) => {
      console.error('Google sign-in', error);
      if (isWaiting) setState('failed');
    });
    return () => {
      isWaiting = false;
    };
  }, [clientId, nonce, state]);
  return (
    <>
      {state === 'coming' && <DisabledGoogle />}
      <div ref={place} className="mt-5 flex justify-center empty:hidden" />
      {state === 'failed' && (
        <Alert className="mt-5" action={<TextButton onClick={() => setState('coming')}>Try again</TextButton>}>
          Google sign-in could not be loaded. Check your connection.
        </Alert>
      )}
    </>
  );
};

/** Replaces Google's button. `why` is its tooltip and, for devices without a mouse, visible text. */
const DisabledGoogle = ({ why }: { readonly why?: string }) => {
  const id = useId();
  return (
    <>
      <Button
        size="lg"
        kind="outline"
        disabled
        title={why}
        aria-describedby={why === undefined ? undefined : id}
        className="mt-5 w-full disabled:bg-paper"
      >
        <GoogleMark />
        Google
      </Button>
      <p id={id} className="mt-2.5 min-h-[1.5em] text-center text-xs text-clove">
        {why}
      </p>
    </>
  );
};

const GoogleMark = () => (
  <svg viewBox="0 0 20 20" className="size-[1.125rem]" aria-hidden="true">
    <path fill="none" stroke="currentColor" strokeWidth="2.6" d="M16.6 6.3A7.3 7.3 0 1 0 17.3 10.4H10.4" />
  </svg>
);
