import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect } from 'react';
import { Provider } from 'react-redux';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { type CustomerLists, SiteManagerPanels } from './SiteManagerPanels.tsx';
import { subscribeToUpdates } from './live-updates.ts';
import { Notices } from './Notices.tsx';
import { adminStoreOf } from './admin-store.ts';

type SiteManagerPageProps = {
  /** The id of the admin, of whom it keeps the lists. */
  readonly admin: string;
  /** A product was added, edited or deleted: the shop's cached catalogue is outdated. */
  readonly onProductsChanged: () => void;
  readonly onListed?: (lists: CustomerLists) => void;
};

/** The caller has checked that the user is an admin; the server checks every call. */
export const SiteManagerPage = ({ admin, onProductsChanged, onListed }: SiteManagerPageProps) => {
  usePageTitle('Site Manager');
  const store = adminStoreOf(admin);
  useEffect(() => setupListeners(store.dispatch), [store]);
  useEffect(() => subscribeToUpdates(store), [store]);
  return (
    <Provider store={store}>
      <Notices>
        <SiteManagerPanels onProductsChanged={onProductsChanged} onListed={onListed} />
      </Notices>
    </Provider>
  );
};
