import { useSubmission } from '../../lib/use-submission.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { downloadData } from './account-api.ts';

/** A copy of all that is known of the shopper; whose sign-in is too long ago for that is led to a new one. */
export const DownloadData = ({ onSignInAgain }: { readonly onSignInAgain: () => void }) => {
  const { submission, submit } = useSubmission<void>(downloadData, 'Your data could not be downloaded');
  const { state } = submission;
  const mustSignIn = state === 'refused' && submission.code === 'sign_in_again';
  return (
    <>
      <Button
        kind="outline"
        busy={state === 'sending' ? 'Gathering your data...' : undefined}
        onClick={() => void submit()}
        className="mt-6"
      >
        Download my data
      </Button>
      {state === 'refused' && (
        <Alert className="mt-5" action={mustSignIn && <TextButton onClick={onSignInAgain}>Sign in again</TextButton>}>
          {submission.message}
        </Alert>
      )}
      {state === 'done' && (
        <Alert kind="success" className="mt-5">
          {submission.message}
        </Alert>
      )}
    </>
  );
};
