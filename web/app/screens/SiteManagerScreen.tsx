import { lazy, Suspense, useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectAuth } from '../../features/auth/auth-slice.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { NotAuthorised } from './NotAuthorised.tsx';

/** Asked for when it is first drawn, which is never for who is not an admin. */
const SiteManagerPage = lazy(async () => ({
  default: (await import('../../features/site-manager/SiteManagerPage.tsx')).SiteManagerPage,
}));

const Waiting = () => <div aria-busy="true" />;

/** The back office for admins; for everybody else the sentence that it is not for them, and neither its script nor its data. */
export const SiteManagerRoute = () => {
  const { user, loading } = useSelector(selectAuth);
  const forgetCatalogue = useForgetCatalogue();
  if (user === null && loading) return <Waiting />;
  if (!user?.isAdmin) return <NotAuthorised isSignedIn={user !== null} />;
  return (
    <Suspense fallback={<Waiting />}>
      <SiteManagerPage onProductsChanged={forgetCatalogue} />
    </Suspense>
  );
};

/** The shop's pages show what an admin has just done, and not what they remember from a minute ago. */
const useForgetCatalogue = () => {
  const dispatch = useDispatch();
  return useCallback(() => void dispatch(catalogueApi.util.resetApiState()), [dispatch]);
};
