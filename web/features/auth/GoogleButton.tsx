import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { DisabledGoogle } from './DisabledGoogle.tsx';
import { googleId } from './google-script.ts';

type GoogleButtonProps = { readonly clientId: string; readonly nonce: string; readonly onToken: (token: string) => void };

/** The widest that Google draws its button, in px. */
const WIDEST = 400;

/** Google's own button, drawn by its script, which is fetched when this is first shown. */
export const GoogleButton = ({ clientId, nonce, onToken }: GoogleButtonProps) => {
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
          Google sign-in could not be loaded.
        </Alert>
      )}
    </>
  );
};
