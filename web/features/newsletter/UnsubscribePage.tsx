import { useState, type SubmitEventHandler } from 'react';
import { pages } from '#domain/site/pages.ts';
import { api, statusOf } from '../../lib/http/api.ts';
import { useFocusFirstError, type FieldErrors } from '../../lib/use-focus-first-error.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Niche } from '../../ui/Niche.tsx';
import { FocusedMessage } from '../../ui/FocusedMessage.tsx';
import { unsubscribe, type UnsubscribeRequest } from './newsletter-api.ts';

const NO_ERRORS: FieldErrors = {};

/** The target of the unsubscribe link in mails. Without a token, or with an expired one, it asks for the address. */
export const UnsubscribePage = () => {
  const token = useLinkToken();
  usePageTitle('Unsubscribe');
  return (
    <div className="page-x flex min-h-[34rem] items-center justify-center py-section">
      <div className="w-full max-w-form">
        <Niche className="h-20 text-gold" />
        <h1 className="display mt-7 text-h1">Leave the letters</h1>
        <UnsubscribeByToken key={token} token={token} />
      </div>
    </div>
  );
};

const UnsubscribeByToken = ({ token }: { readonly token: string }) => {
  const [hasLink, setHasLink] = useState(token !== '');
  const { submission, submit } = useSubmission(async (who: UnsubscribeRequest) => {
    try {
      return await unsubscribe(api, who);
    } catch (error) {
      if ('token' in who && statusOf(error) === 400) setHasLink(false);
      throw error;
    }
  }, 'Failed to unsubscribe');
  const { state } = submission;
  if (state === 'done')
    return (
      <>
        <FocusedMessage>{submission.message}</FocusedMessage>
        <ButtonLink to={pages.shop} size="lg" className="mt-6 w-full">
          Shop the House
        </ButtonLink>
      </>
    );
  const busy = state === 'sending' ? 'Unsubscribing...' : undefined;
  const leave = (who: UnsubscribeRequest) => void submit(who);
  return (
    <>
      <p className="mt-3 text-clove">
        {hasLink ? 'One click, and no more letters will come.' : 'Tell us the address that gets them, and no more will come.'}
      </p>
      {state === 'refused' && <Alert className="mt-7">{submission.message}</Alert>}
      {hasLink ? (
        <Button size="lg" busy={busy} onClick={() => leave({ token })} className="mt-8 w-full">
          Unsubscribe
        </Button>
      ) : (
        <UnsubscribeByAddress busy={busy} errors={state === 'refused' ? submission.fieldErrors : NO_ERRORS} onLeave={leave} />
      )}
    </>
  );
};

type ByAddressProps = {
  readonly busy: string | undefined;
  readonly errors: FieldErrors;
  readonly onLeave: (who: UnsubscribeRequest) => void;
};

const UnsubscribeByAddress = ({ busy, errors, onLeave }: ByAddressProps) => {
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState<FieldErrors>(NO_ERRORS);
  const shown = missing['email'] === undefined ? errors : missing;
  const form = useFocusFirstError(shown);
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    const isEmpty = email.trim() === '';
    setMissing(isEmpty ? { email: 'Required' } : NO_ERRORS);
    if (!isEmpty) onLeave({ email });
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="mt-8">
      <Field
        label="Email"
        type="email"
        name="email"
        required
        autoComplete="email"
        value={email}
        error={shown['email']}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit" size="lg" busy={busy} className="mt-7 w-full">
        Unsubscribe
      </Button>
    </form>
  );
};
