import type { SerializedError } from '@reduxjs/toolkit';
import { type ReactNode, useId, useState } from 'react';
import { pages } from '#domain/site/pages.ts';
import { getMessage, type CallError } from '../../lib/http/api.ts';
import { describeErasure } from '../../lib/erasure-text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { ConfirmErasure } from '../../ui/overlay/ConfirmErasure.tsx';
import { TextButton, TextLink } from '../../ui/TextLink.tsx';
import { useDownloadDataMutation, useEraseAccountMutation, useOpenOrdersQuery } from './account-api.ts';

type AccountHolder = {
  readonly name: string;
  readonly email: string;
  /** `phone` is empty when the user gave none. */
  readonly phone: string;
};

type AccountPageProps = {
  readonly user: AccountHolder;
  /** The part of a third party whose sign-in can be joined to the account. */
  readonly thirdParty: ReactNode;
  readonly onSignInAgain: () => void;
  /** Called with the server's message after the erasure. */
  readonly onErased: (message: string) => void;
};

/** `/account`, where signed-in shoppers see, download and erase their data. */
export const AccountPage = ({ user, thirdParty, onSignInAgain, onErased }: AccountPageProps) => {
  usePageTitle('My Account');
  return (
    <div className="page-x pb-section">
      <h1 className="display pt-block pb-8 text-h1 md:pb-12">My Account</h1>
      <Part title="Your details">
        <dl className="space-y-4">
          <Detail name="Name">{user.name}</Detail>
          <Detail name="Email">{user.email}</Detail>
          <Detail name="Phone">{user.phone || 'None given'}</Detail>
        </dl>
        <TextLink to={pages.myOrders} className="mt-4">
          See your orders
        </TextLink>
      </Part>
      {thirdParty}
      <Part title="Your data">
        <p className="max-w-prose text-clove">
          A copy of everything we hold about you, in one file that programs can read: your account and its sign-ins, carts, orders with
          their history and invoices, letters, messages to us, and what our security log says of you.
        </p>
        <DownloadData onSignInAgain={onSignInAgain} />
      </Part>
      <Part title="Erase your account">
        <p className="max-w-prose text-clove">
          Your name, addresses, telephone number and messages are destroyed, everywhere and for good. What you bought stays in our books as
          figures, without you in them.
        </p>
        <EraseAccount onSignInAgain={onSignInAgain} onErased={onErased} />
      </Part>
    </div>
  );
};

/** The part of the page around Google's button. */
export const JoinGoogle = ({ children }: { readonly children: ReactNode }) => (
  <Part title="Sign in with Google">
    <p className="max-w-prose text-clove">
      Join the Google account of your e-mail address: from then on both open your account. We tell you by e-mail when it is done.
    </p>
    <div className="max-w-md">{children}</div>
  </Part>
);

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="border-t border-sandal py-8 md:grid md:grid-cols-[16rem_1fr] md:gap-8 md:py-12">
    <h2 className="display mb-5 text-h3">{title}</h2>
    <div>{children}</div>
  </section>
);

const Detail = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div className="sm:grid sm:grid-cols-[8rem_1fr] sm:gap-8">
    <dt className="text-clove">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
);

/** Downloads a copy of the shopper's data. If the sign-in is too old, the shopper can sign in again. */
const DownloadData = ({ onSignInAgain }: { readonly onSignInAgain: () => void }) => {
  const [download, { data: message, error, isLoading }] = useDownloadDataMutation();
  return (
    <>
      <Button kind="outline" busy={isLoading ? 'Gathering your data...' : undefined} onClick={() => void download()} className="mt-6">
        Download my data
      </Button>
      {error && <Refusal error={error} onSignInAgain={onSignInAgain} />}
      {message !== undefined && (
        <Alert kind="success" className="mt-5">
          {message}
        </Alert>
      )}
    </>
  );
};

const CONSEQUENCES = [
  'Your account, cart, letters and messages to us go, and you are signed out everywhere.',
  'The names and addresses of your orders can no longer be read.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

type EraseAccountProps = { readonly onSignInAgain: () => void; readonly onErased: (message: string) => void };

const EraseAccount = (props: EraseAccountProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="outline" onClick={() => setOpen(true)} className="mt-6">
        Erase my account
      </Button>
      {open && <EraseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

type RefusalProps = { readonly error: CallError | SerializedError; readonly onSignInAgain: () => void };

const Refusal = ({ error, onSignInAgain }: RefusalProps) => (
  <Alert className="mt-5" action={error.code === 'sign_in_again' && <TextButton onClick={onSignInAgain}>Sign in again</TextButton>}>
    {getMessage(error)}
  </Alert>
);

/** Names the open orders and their money first, and asks for the password only if erasing is possible now. */
const EraseDialog = ({ onSignInAgain, onErased, onClose }: EraseAccountProps & { readonly onClose: () => void }) => {
  const { data: orders, error: unknown, refetch } = useOpenOrdersQuery();
  const { isPossible, ...words } = describeErasure(orders, CONSEQUENCES);
  const [erase, { error }] = useEraseAccountMutation();
  const { field, submit, message, isSending } = useValidatedForm<{ password: string }>({
    // An account that has only signed in with Google has no password.
    validate: () => ({}),
    send: async ({ password }) => onErased(await erase(password).unwrap()),
    blamed: ({ code, message: refusal, errors = {} }) => (code === 'wrong_password' ? { password: refusal } : errors),
  });
  const password = field('password');
  const id = useId();
  return (
    <ConfirmErasure
      title="Erase your account?"
      {...words}
      keep="Keep my account"
      isBusy={isSending}
      onClose={onClose}
      confirm={isPossible ? id : undefined}
    >
      {unknown && !orders && (
        <Alert className="mt-5" action={<TextButton onClick={() => void refetch()}>Try again</TextButton>}>
          {getMessage(unknown)}
        </Alert>
      )}
      {!orders && !unknown && <Status className="mt-5 text-clove">Looking through your orders...</Status>}
      {isPossible && (
        <form id={id} noValidate onSubmit={submit} className="mt-6">
          <Field
            {...password}
            label="Password"
            type="password"
            autoComplete="current-password"
            hint="Leave it empty if you have always signed in with Google."
          />
          {message !== undefined && password.error === undefined && error && <Refusal error={error} onSignInAgain={onSignInAgain} />}
        </form>
      )}
    </ConfirmErasure>
  );
};
