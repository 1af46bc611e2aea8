import { useLocation } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import { signInAddress } from '../../features/auth/sign-in-address.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Niche } from '../../ui/Niche.tsx';

/** What everybody but an admin finds in the Site Manager's place (specification, section 6). */
export const NotAuthorised = ({ isSignedIn }: { readonly isSignedIn: boolean }) => {
  usePageTitle('Site Manager');
  const here = useLocation();
  return (
    <div className="page-x flex flex-col items-center py-section text-center">
      <Niche className="h-44 text-gold" strokeWidth={0.6} />
      <h1 className="display mt-8 text-h1">Sorry!!! You are not authorised to this page</h1>
      <p className="mt-4 max-w-md text-lead text-clove">
        {isSignedIn
          ? 'Site Manager opens for the house’s own accounts, and this one is not among them.'
          : 'Site Manager opens for the house’s own accounts. Sign in with one, or go back to the shop.'}
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {!isSignedIn && (
          <ButtonLink to={signInAddress(here)} size="lg">
            Sign In
          </ButtonLink>
        )}
        <ButtonLink to={pages.home} size="lg" kind="outline">
          Go Back Home
        </ButtonLink>
      </div>
    </div>
  );
};
