import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { Niche } from '../../../ui/Niche.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { type SoughtOrder, useFindOrderMutation } from '../order-api.ts';

/** `/find-order`: a guest asks for the link to an order. The answer is the same whether or not number and address belong together. */
export const FindOrder = () => {
  const [sought, setSought] = useState<SoughtOrder>();
  usePageTitle('Find Your Order');
  return sought ? <LinkSent sought={sought} onAgain={() => setSought(undefined)} /> : <FindForm onSent={setSought} />;
};

const FIELDS = ['orderNumber', 'email'] as const;

const FindForm = ({ onSent }: { readonly onSent: (sought: SoughtOrder) => void }) => {
  const [find] = useFindOrderMutation();
  const { field, submit, message, isSending } = useValidatedForm<SoughtOrder>({
    validate: (values) => findMissing(FIELDS, values),
    send: async (values) => {
      await find(values).unwrap();
      onSent(values);
    },
  });
  return (
    <>
      <h1 className="display text-h1">Find your order</h1>
      <p className="mt-3 text-clove">
        Ordered without an account? Tell us the number and the <span className="whitespace-nowrap">e-mail</span> that you gave. We mail you
        a link that opens the order on any device.
      </p>
      {message !== undefined && <Alert className="mt-7">{message}</Alert>}
      <form noValidate onSubmit={submit} className="mt-8 space-y-5">
        <Field
          {...field('orderNumber')}
          label="Order number"
          hint="In the subject of every mail from us"
          type="text"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Field {...field('email')} label="Email" type="email" required autoComplete="email" />
        <Button type="submit" size="lg" busy={isSending ? 'Sending...' : undefined} className="mt-2 w-full">
          Mail me the link
        </Button>
      </form>
      <p className="mt-6 text-[0.9375rem] text-clove">
        With an account,{' '}
        <Link to={pages.signIn} className="link font-medium text-ink">
          sign in
        </Link>
        : all your orders stand there.
      </p>
    </>
  );
};

type LinkSentProps = { readonly sought: SoughtOrder; readonly onAgain: () => void };

const LinkSent = ({ sought: { orderNumber, email }, onAgain }: LinkSentProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div role="status" className="text-center">
      <Niche height={88} drop strokeWidth={0.9} className="mx-auto h-24 text-gold" />
      <h1 ref={heading} tabIndex={-1} className="display mt-7 text-h1 outline-none">
        Look into your mail
      </h1>
      <p className="mx-auto mt-4 max-w-sm text-lead wrap-anywhere text-clove">
        If {orderNumber.trim()} and {email.trim()} belong together, the link is on its way.
      </p>
      <p className="mt-5 text-[0.9375rem] text-clove">
        Nothing after some minutes? Look at the spam, or{' '}
        <Link to={pages.contact} className="link font-medium text-ink">
          write to us
        </Link>
        .
      </p>
      <TextButton onClick={onAgain} className="mt-5">
        Try another number
      </TextButton>
    </div>
  );
};
