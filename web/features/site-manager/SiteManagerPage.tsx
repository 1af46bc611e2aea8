import { setupListeners } from '@reduxjs/toolkit/query';
import { type ContextType, useEffect, useMemo } from 'react';
import { Provider } from 'react-redux';
import type { StaffRole } from '#domain/staff/duties.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { type CustomerLists, SiteManagerPanels } from './SiteManagerPanels.tsx';
import { subscribeToUpdates } from './live-updates.ts';
import { Notices } from './Notices.tsx';
import { openAdminStore } from './admin-store.ts';
import { PreviewSlot } from './products/preview-slot.ts';
import { OwnAccount } from './use-may.ts';

type SiteManagerPageProps = {
  /** The id of the signed-in admin, whose lists the page keeps. */
  readonly admin: string;
  readonly roles: readonly StaffRole[];
  /** Called when the admin has changed their own roles. */
  readonly onRightsChanged?: () => void;
  /** Called when a product was added, edited or deleted, because the shop's cached catalogue is then outdated. */
  readonly onProductsChanged: () => void;
  readonly onListed?: (lists: CustomerLists) => void;
  readonly renderPreview?: ContextType<typeof PreviewSlot>;
};

const renderNothing = () => null;

/** The caller must have checked that the user is an admin; the server checks every call. */
export const SiteManagerPage = ({
  admin,
  roles,
  onRightsChanged,
  onProductsChanged,
  onListed,
  renderPreview = renderNothing,
}: SiteManagerPageProps) => {
  usePageTitle('Site Manager');
  const store = openAdminStore(admin);
  const own = useMemo(() => ({ id: admin, roles, onChanged: onRightsChanged }), [admin, roles, onRightsChanged]);
  useEffect(() => setupListeners(store.dispatch), [store]);
  useEffect(() => subscribeToUpdates(store), [store]);
  return (
    <Provider store={store}>
      <OwnAccount value={own}>
        <Notices>
          <PreviewSlot value={renderPreview}>
            <SiteManagerPanels onProductsChanged={onProductsChanged} onListed={onListed} />
          </PreviewSlot>
        </Notices>
      </OwnAccount>
    </Provider>
  );
};
