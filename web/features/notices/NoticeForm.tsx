import { useEffect } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { findMissing, useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { useAskForNoticeMutation } from './notices-api.ts';

export type NoticeFormProps = {
  readonly productId: string;
  /** A blank field is filled with the signed-in shopper's address. */
  readonly knownEmail: string | undefined;
};

/** Takes the address of somebody who wants a sold-out perfume. After success the server's message replaces the form. */
export const NoticeForm = ({ productId, knownEmail }: NoticeFormProps) => {
  const [ask, { data: noted }] = useAskForNoticeMutation();
  const { field, submit, fillBlanks, isSending } = useValidatedForm<{ email: string }>({
    validate: (values) => findMissing(['email'], values),
    send: ({ email }) => ask({ productId, email: email.trim() }).unwrap(),
    // The error of the only field is more specific than the general message.
    blamed: ({ errors, message }) => ({ email: errors?.['email'] ?? message }),
  });
  useEffect(() => {
    if (knownEmail !== undefined) fillBlanks({ email: knownEmail });
  }, [fillBlanks, knownEmail]);
  if (noted !== undefined) return <FocusedMessage className="">{noted}</FocusedMessage>;
  return (
    <form noValidate onSubmit={submit}>
      <div className="flex flex-col gap-3 @md:flex-row @md:items-start">
        <Field
          {...field('email')}
          label="Email"
          type="email"
          required
          autoComplete="email"
          hint="We will write to you once, when it is in stock again."
          className="min-w-0 flex-1"
        />
        <Button type="submit" busy={isSending ? 'Sending...' : undefined} className="h-12 @md:mt-[1.8125rem]">
          Tell me when it is back
        </Button>
      </div>
    </form>
  );
};
