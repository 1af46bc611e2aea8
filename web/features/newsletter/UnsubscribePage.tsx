import { useState } from 'react';
import { pages } from '#domain/site/pages.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { Niche } from '../../ui/Niche.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { useUnsubscribeMutation } from './newsletter-api.ts';

/** The page that the unsubscribe link in mails opens. Without a token, or with an expired one, it asks for the address. */
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
  const [unsubscribe, { data }] = useUnsubscribeMutation();
  const { field, submit, message, isSending } = useValidatedForm<{ email: string }>({
    validate: (values) => (hasLink ? {} : findMissing(['email'], values)),
    send: ({ email }) => unsubscribe(hasLink ? { token } : { email }).unwrap(),
    blamed: ({ status, errors = {} }) => {
      if (hasLink && status === 400) setHasLink(false);
      return hasLink ? {} : errors;
    },
  });
  if (data !== undefined)
    return (
      <>
        <FocusedMessage>{data}</FocusedMessage>
        <ButtonLink to={pages.shop} size="lg" className="mt-6 w-full">
          Shop the House
        </ButtonLink>
      </>
    );
  return (
    <form noValidate onSubmit={submit}>
      <p className="mt-3 text-clove">
        {hasLink ? 'One click, and no more letters will come.' : 'Tell us the address that gets them, and no more will come.'}
      </p>
      {message !== undefined && <Alert className="mt-7">{message}</Alert>}
      {!hasLink && <Field {...field('email')} label="Email" type="email" required autoComplete="email" className="mt-8" />}
      <Button type="submit" size="lg" busy={isSending ? 'Unsubscribing...' : undefined} className="mt-8 w-full">
        Unsubscribe
      </Button>
    </form>
  );
};
