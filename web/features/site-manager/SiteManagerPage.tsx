import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { SiteManagerPanels } from './SiteManagerPanels.tsx';
import { subscribeToUpdates } from './live-updates.ts';
import { Notices } from './Notices.tsx';
import { createAdminStore } from './admin-store.ts';

type SiteManagerPageProps = {
  /** An admin has added, edited or deleted a product: what the shop's own pages remember of the catalogue is old. */
  readonly onProductsChanged: () => void;
};

/** The back office. Whoever draws it has made sure that an admin looks at it; the server makes sure with each call. */
export const SiteManagerPage = ({ onProductsChanged }: SiteManagerPageProps) => {
  usePageTitle('Site Manager');
  const [office] = useState(createAdminStore);
  useEffect(() => setupListeners(office.dispatch), [office]);
  useEffect(() => subscribeToUpdates(office), [office]);
  return (
    <Provider store={office}>
      <Notices>
        <SiteManagerPanels onProductsChanged={onProductsChanged} />
      </Notices>
    </Provider>
  );
};
