import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect } from 'react';
import { Provider } from 'react-redux';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { type CustomerLists, SiteManagerPanels } from './SiteManagerPanels.tsx';
import { subscribeToUpdates } from './live-updates.ts';
import { Notices } from './Notices.tsx';
import { openAdminStore } from './admin-store.ts';

type SiteManagerPageProps = {
  /** The id of the signed-in admin, whose lists the page keeps. */
  readonly admin: string;
  /** Called when a product was added, edited or deleted, because the shop's cached catalogue is then outdated. */
  readonly onProductsChanged: () => void;
  readonly onListed?: (lists: CustomerLists) => void;
};

/** The caller must have checked that the user is an admin; the server checks every call. */
export const SiteManagerPage = ({ admin, onProductsChanged, onListed }: SiteManagerPageProps) => {
  usePageTitle('Site Manager');
  const store = openAdminStore(admin);
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
