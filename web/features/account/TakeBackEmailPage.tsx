import { useState } from 'react';
import { pages } from '#domain/site/pages.ts';
import { getMessage } from '../../lib/http/api.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { Niche } from '../../ui/Niche.tsx';
import { useTakeBackEmailMutation } from './account-api.ts';

/** The page that the link in the mail to a former address opens. A button does the deed: programs that follow links do nothing. */
export const TakeBackEmailPage = ({ onTakenBack }: { readonly onTakenBack: () => void }) => {
  const token = useLinkToken();
  usePageTitle('Take Your Address Back');
  return (
    <div className="page-x flex min-h-[34rem] items-center justify-center py-section">
      <div className="w-full max-w-form">
        <Niche className="h-20 text-gold" />
        <h1 className="display mt-7 text-h1">Take your address back</h1>
        {token === '' ? (
          <Alert className="mt-7">This link is incomplete. Please copy the whole link from the mail.</Alert>
        ) : (
          <TakeBack key={token} token={token} onTakenBack={onTakenBack} />
        )}
      </div>
    </div>
  );
};

const TakeBack = ({ token, onTakenBack }: { readonly token: string; readonly onTakenBack: () => void }) => {
  const [takeBack, { error, isLoading }] = useTakeBackEmailMutation();
  // The mutation's own answer is dropped when the session ends.
  const [done, setDone] = useState<string>();
  const send = async (): Promise<void> => {
    const { data } = await takeBack(token);
    if (data === undefined) return;
    setDone(data);
    onTakenBack();
  };
  if (done !== undefined)
    return (
      <>
        <FocusedMessage>{done}</FocusedMessage>
        <ButtonLink to={pages.forgotPassword} size="lg" className="mt-6 w-full">
          Set a New Password
        </ButtonLink>
      </>
    );
  return (
    <>
      <p className="mt-3 text-clove">
        Somebody gave your account another e-mail address. If it was not you: with one click this address is yours again, and every device
        is signed out.
      </p>
      {error && <Alert className="mt-7">{getMessage(error)}</Alert>}
      <Button size="lg" busy={isLoading ? 'Taking it back...' : undefined} onClick={() => void send()} className="mt-8 w-full">
        Take it back
      </Button>
    </>
  );
};
