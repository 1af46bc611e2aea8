import { useId, useState, type ReactNode } from 'react';
import { describeErasure } from '../../lib/erasure-text.ts';
import { getMessage } from '../../lib/http/api.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import { ConfirmErasure } from '../../ui/overlay/ConfirmErasure.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { blameWrongPassword, useDownloadDataMutation, useEraseAccountMutation, useOpenOrdersQuery, type Account } from './account-api.ts';
import { AccountSection } from './AccountSection.tsx';
import { Refusal } from './Refusal.tsx';

type EraseAccountProps = { readonly onSignInAgain: () => void; readonly onErased: (message: string) => void };

type DataSectionProps = EraseAccountProps & {
  /** Undefined until it is known. */
  readonly account: Account | undefined;
  /** Google's button, where the shop has it. */
  readonly google: ReactNode;
};

export const DataSection = ({ account, google, onSignInAgain, onErased }: DataSectionProps) => (
  <AccountSection id="data">
    <dl className="mt-4">
      {account && (account.google || google) && (
        <Line name="Google" action={null}>
          {account.google ? 'Joined: it opens your account too.' : <JoinGoogle>{google}</JoinGoogle>}
        </Line>
      )}
      <DownloadData onSignInAgain={onSignInAgain} />
      <EraseAccount onSignInAgain={onSignInAgain} onErased={onErased} />
    </dl>
  </AccountSection>
);

const JoinGoogle = ({ children }: { readonly children: ReactNode }) => (
  <>
    Not joined. Join the Google account of your e-mail address: from then on both open your account, and we tell you by e-mail.
    <div className="max-w-md">{children}</div>
  </>
);

type LineProps = { readonly name: string; readonly action: ReactNode; readonly children: ReactNode };

const Line = ({ name, action, children }: LineProps) => (
  <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-6 border-b border-sandal/70 py-3 sm:grid-cols-[13rem_1fr_auto]">
    <dt className="font-medium">{name}</dt>
    <dd className="text-[0.9375rem] text-clove max-sm:order-3 max-sm:col-span-2">{children}</dd>
    {action !== null && <dd>{action}</dd>}
  </div>
);

/** Downloads a copy of the shopper's data. If the sign-in is too old, the shopper can sign in again. */
const DownloadData = ({ onSignInAgain }: { readonly onSignInAgain: () => void }) => {
  const [download, { data: message, error, isLoading }] = useDownloadDataMutation();
  const button = (
    <TextButton aria-label="Download my data" className="-my-2" disabled={isLoading} onClick={() => void download()}>
      {isLoading ? 'Gathering...' : 'Download'}
    </TextButton>
  );
  return (
    <Line name="A copy of everything" action={button}>
      One file that programs can read: account, sign-ins, carts, orders and invoices, messages, and what our security log says of you.
      {error && <Refusal error={error} onSignInAgain={onSignInAgain} />}
      {message !== undefined && (
        <Alert kind="success" className="mt-5">
          {message}
        </Alert>
      )}
    </Line>
  );
};

const CONSEQUENCES = [
  'Your account, cart, letters and messages to us go, and you are signed out everywhere.',
  'The names and addresses of your orders can no longer be read.',
  'What was sold, when and for how much stays in our books, as the law asks.',
];

const EraseAccount = (props: EraseAccountProps) => {
  const [open, setOpen] = useState(false);
  const button = (
    <TextButton aria-label="Erase my account" className="-my-2 text-sindoor" onClick={() => setOpen(true)}>
      Erase
    </TextButton>
  );
  return (
    <Line name="Erase your account" action={button}>
      Names and addresses go, everywhere and for good. What you bought stays in our books as figures.
      {open && <EraseDialog {...props} onClose={() => setOpen(false)} />}
    </Line>
  );
};

/** Names the open orders and their money first, and asks for the password only if erasing is possible now. */
const EraseDialog = ({ onSignInAgain, onErased, onClose }: EraseAccountProps & { readonly onClose: () => void }) => {
  const { data: orders, error: unknown, refetch } = useOpenOrdersQuery();
  const { isPossible, ...words } = describeErasure(orders, CONSEQUENCES);
  const [erase, { error }] = useEraseAccountMutation();
  const { field, submit, message, isSending } = useValidatedForm<{ password: string }>({
    // An account that has only signed in with Google has no password.
    validate: () => ({}),
    send: async ({ password }) => onErased(await erase(password).unwrap()),
    blamed: blameWrongPassword('password'),
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
