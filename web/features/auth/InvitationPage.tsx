import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import type { CallError } from '../../lib/http/api.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useValidatedForm } from '../../ui/form/use-validated-form.ts';
import type { FormValues, SignedIn, User } from './auth-api.ts';
import { AuthForm } from './AuthForm.tsx';
import { authForms, findMissingFields, type FormDefinition } from './auth-forms.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { loggedIn, selectIsUnknown, selectUser } from './auth-slice.ts';
import { useAcceptInvitationMutation } from './sign-in-api.ts';

const form: FormDefinition = {
  submit: 'Accept the Invitation',
  inputs: authForms.signUp.inputs.filter(({ type }) => type !== 'email'),
};

/** The page that the link in the mail opens. */
export const InvitationPage = () => {
  const token = useLinkToken();
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  usePageTitle('Join the Staff');
  return (
    <AuthFrame picture={authForms.signUp.picture}>
      <h1 className="display text-h1">Join the staff</h1>
      {token === '' ? (
        <Alert className="mt-7">This link is incomplete. Please copy the whole link from the mail.</Alert>
      ) : isUnknown ? (
        <div aria-busy="true" className="min-h-96" />
      ) : user ? (
        <AcceptAs key={token} token={token} user={user} />
      ) : (
        <JoinForm key={token} token={token} />
      )}
    </AuthFrame>
  );
};

/** Takes the new member to what their roles open. */
const useEnter = () => {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  return async ({ user, noRoomFor }: SignedIn): Promise<void> => {
    dispatch(loggedIn(user, noRoomFor));
    await navigate(user.isAdmin ? pages.siteManager : pages.audit, { replace: true });
  };
};

const AcceptAs = ({ token, user }: { readonly token: string; readonly user: User }) => {
  const enter = useEnter();
  const [accept, { error, isLoading }] = useAcceptInvitationMutation();
  const send = async (): Promise<void> => {
    const { data } = await accept({ token });
    if (data) await enter(data);
  };
  return (
    <>
      <p className="mt-3 text-clove">
        You are signed in as <span className="font-medium wrap-anywhere text-ink">{user.email}</span>. Your account keeps its orders and
        gets the rights of the invitation.
      </p>
      {error && 'status' in error && <Alert className="mt-7">{error.message}</Alert>}
      <Button size="lg" className="mt-7 w-full" busy={isLoading ? 'Accepting...' : undefined} onClick={() => void send()}>
        Accept the Invitation
      </Button>
    </>
  );
};

const JoinForm = ({ token }: { readonly token: string }) => {
  const enter = useEnter();
  const [accept, { error }] = useAcceptInvitationMutation();
  const { field, submit, message, isSending } = useValidatedForm<FormValues>({
    validate: (values) => findMissingFields(form, values),
    send: async (values) => enter(await accept({ ...values, token }).unwrap()),
  });
  if (error && 'status' in error && isOfTheLink(error))
    return (
      <>
        <Alert className="mt-7">{error.message}</Alert>
        <ButtonLink to={error.status === 401 ? pages.signIn : pages.home} size="lg" className="mt-6 w-full">
          {error.status === 401 ? 'Sign In' : 'Visit the shop'}
        </ButtonLink>
      </>
    );
  return (
    <>
      <p className="mt-3 text-clove">Choose a password. You then sign in with the address to which the invitation came.</p>
      {message !== undefined && <Alert className="mt-7">{message}</Alert>}
      <AuthForm form={form} field={field} submit={submit} loading={isSending} />
    </>
  );
};

/** Returns whether the link was refused, as used, withdrawn or over, or as one for an account that signs in first. */
const isOfTheLink = ({ status, errors = {} }: CallError): boolean => status === 401 || (status === 400 && Object.keys(errors).length === 0);
