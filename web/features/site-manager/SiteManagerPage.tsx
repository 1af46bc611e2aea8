import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { SiteManagerPanels } from './SiteManagerPanels.tsx';
import { subscribeToUpdates } from './live-updates.ts';
import { Notices } from './Notices.tsx';
import { createAdminStore } from './admin-store.ts';

type SiteManagerPageProps = {
  /** A product was added, edited or deleted: the shop's cached catalogue is outdated. */
  readonly onProductsChanged: () => void;
};

/** The caller has checked that the user is an admin; the server checks every call. */
export const SiteManagerPage = ({ onProductsChanged }: SiteManagerPageProps) => {
  usePageTitle('Site Manager');
  const [store] = useState(createAdminStore);
  useEffect(() => setupListeners(store.dispatch), [store]);
  useEffect(() => subscribeToUpdates(store), [store]);
  return (
    <Provider store={store}>
      <Notices>
        <SiteManagerPanels onProductsChanged={onProductsChanged} />
      </Notices>
    </Provider>
  );
};
