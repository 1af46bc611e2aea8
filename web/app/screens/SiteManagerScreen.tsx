import { type ComponentProps, lazy, Suspense, useCallback, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { takeEvery } from 'redux-saga/effects';
import type { ProductView } from '#domain/product/view.ts';
import { pages } from '#domain/site/pages.ts';
import { selectIsUnknown, selectUser, userFetchRequested } from '../../features/auth/auth-slice.ts';
import { signInAddress } from '../../features/auth/return-path.ts';
import { catalogueApi } from '../../features/catalogue/catalogue-api.ts';
import { contactSlice, contactsListed } from '../../features/contact/contact-slice.ts';
import { subscribersListed } from '../../features/newsletter/newsletter-slice.ts';
import type { CustomerLists } from '../../features/site-manager/SiteManagerPanels.tsx';
import { isAnotherShopper } from '../../lib/session-change.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { inject } from '../reducer.ts';
import type { Screen } from '../screen.ts';

/** Only an admin's browser fetches this chunk. Its store is dropped when the admin leaves. */
const SiteManagerPage = lazy(async () => {
  const [{ SiteManagerPage: Page }, { dropAdminStore }, { ProductPreview }] = await Promise.all([
    import('../../features/site-manager/SiteManagerPage.tsx'),
    import('../../features/site-manager/admin-store.ts'),
    import('../../features/catalogue/product/ProductPreview.tsx'),
  ]);
  inject({
    saga: function* dropWithAdmin() {
      yield takeEvery(isAnotherShopper, dropAdminStore);
    },
  });
  const renderPreview = (product: ProductView) => <ProductPreview product={product} />;
  return { default: (props: ComponentProps<typeof Page>) => <Page {...props} renderPreview={renderPreview} /> };
});

const Waiting = () => <div aria-busy="true" />;

/** The back office for staff with a role in it, which decides what it shows. Everybody else gets a refusal and neither its script nor its data. */
const GuardedSiteManager = () => {
  const user = useSelector(selectUser);
  const isUnknown = useSelector(selectIsUnknown);
  const resetCatalogueCache = useResetCatalogueCache();
  const listCustomers = useListedCustomers();
  const dispatch = useDispatch();
  const askWhoIAm = useCallback(() => void dispatch(userFetchRequested()), [dispatch]);
  if (isUnknown) return <Waiting />;
  if (!user?.isAdmin) return <NotAuthorised isSignedIn={user !== null} />;
  return (
    <Suspense fallback={<Waiting />}>
      <SiteManagerPage
        key={user._id}
        admin={user._id}
        roles={user.roles}
        onRightsChanged={askWhoIAm}
        onProductsChanged={resetCatalogueCache}
        onListed={listCustomers}
      />
    </Suspense>
  );
};

export const siteManagerScreen: Screen = { Component: GuardedSiteManager, slices: [contactSlice] };

/** Copies subscribers and messages into the shop's state until the admin leaves the page. */
const useListedCustomers = () => {
  const dispatch = useDispatch();
  const list = useCallback(
    ({ subscribers, contacts }: CustomerLists): void => {
      dispatch(subscribersListed(subscribers));
      dispatch(contactsListed(contacts));
    },
    [dispatch],
  );
  useEffect(() => () => list({ subscribers: [], contacts: [] }), [list]);
  return list;
};

/** Clears the cached catalogue, because the shop's pages must show an admin's changes at once. */
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
