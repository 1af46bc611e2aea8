import { useParams } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { getMessage } from '../../lib/http/api.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { FocusedMessage } from '../../ui/feedback/FocusedMessage.tsx';
import { Niche } from '../../ui/Niche.tsx';
import { useEndNoticesMutation } from './notices-api.ts';

/** The page that the link in notices opens. Opening it ends nothing, because mail scanners open links too. */
export const EndNoticesPage = () => {
  const { token = '' } = useParams();
  usePageTitle('End notices');
  return (
    <div className="page-x flex min-h-[34rem] items-center justify-center py-section">
      <div className="w-full max-w-form">
        <Niche className="h-20 text-gold" />
        <h1 className="display mt-7 text-h1">No more notices</h1>
        <EndByToken key={token} token={token} />
      </div>
    </div>
  );
};

const EndByToken = ({ token }: { readonly token: string }) => {
  const [end, { data: ended, error, isLoading }] = useEndNoticesMutation();
  if (ended !== undefined)
    return (
      <>
        <FocusedMessage>{ended}</FocusedMessage>
        <ButtonLink to={pages.shop} size="lg" className="mt-6 w-full">
          Shop the House
        </ButtonLink>
      </>
    );
  return (
    <>
      <p className="mt-3 text-clove">One click, and we write to you about no perfume that you waited for.</p>
      {error !== undefined && <Alert className="mt-7">{getMessage(error)}</Alert>}
      <Button size="lg" busy={isLoading ? 'Ending...' : undefined} onClick={() => void end(token)} className="mt-8 w-full">
        End all notices
      </Button>
    </>
  );
};
