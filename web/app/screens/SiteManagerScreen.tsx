import { lazy, Suspense, useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { selectIsUnknown, selectUser } from '../../features/auth/auth-slice.ts';
import { signInAddress } from '../../features/auth/return-path.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** Only an admin's browser fetches this chunk. */
const SiteManagerPage = lazy(async () => ({
  default: (await import('../../features/site-manager/SiteManagerPage.tsx')).SiteManagerPage,
}));

const Waiting = () => <div aria-busy="true" />;

/** The back office for admins; everybody else gets a refusal, and neither its script nor its data. */
export const SiteManagerScreen = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const resetCatalogueCache = useResetCatalogueCache();
  if (isUnknown) return <Waiting />;
  if (!user?.isAdmin) return <NotAuthorised isSignedIn={user !== null} />;
  return (
    <Suspense fallback={<Waiting />}>
      <SiteManagerPage key={user._id} admin={user._id} onProductsChanged={resetCatalogueCache} />
    </Suspense>
  );
};

/** The shop's pages must show an admin's changes at once, not cached answers. */
const useResetCatalogueCache = () => {
  const dispatch = useDispatch();
  return useCallback(() => void dispatch(catalogueApi.util.resetApiState()), [dispatch]);
};

const NotAuthorised = ({ isSignedIn }: { readonly isSignedIn: boolean }) => {
  usePageTitle('Site Manager');
  const here = useLocation();
  return (
    <EmptyState
      page
      title="Sorry!!! You are not authorised to this page"
      action={
        <>
          {!isSignedIn && (
            <ButtonLink to={signInAddress(here)} size="lg">
              Sign In
            </ButtonLink>
          )}
          <ButtonLink to={pages.home} size="lg" kind="outline">
            Go Back Home
          </ButtonLink>
        </>
      }
    >
      {isSignedIn
        ? 'Site Manager opens for the house’s own accounts, and this one is not among them.'
        : 'Site Manager opens for the house’s own accounts. Sign in with one, or go back to the shop.'}
    </EmptyState>
  );
};
