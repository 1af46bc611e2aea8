import { skipToken } from '@reduxjs/toolkit/query';
import { Suspense, useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { joinPages } from '../../lib/paged-list.ts';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import type { ContactMessage, Subscriber } from './admin-types.ts';
import { adminApi, useStatsQuery } from './admin-api.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { PanelBar, PanelNav } from './PanelNav.tsx';
import { type PanelEntry, usePanels } from './panels.tsx';
import { SummaryCards } from './SummaryCards.tsx';
import { useDeskKeys } from './use-desk-keys.ts';
import { useMay } from './use-may.ts';

/** The lists contain only the rows that are loaded. */
export type CustomerLists = { readonly subscribers: readonly Subscriber[]; readonly contacts: readonly ContactMessage[] };

type SiteManagerPanelsProps = { readonly onProductsChanged: () => void; readonly onListed: ((lists: CustomerLists) => void) | undefined };

/** The frame of the Site Manager: figures above, the panels at the left, the chosen panel beside them. */
export const SiteManagerPanels = ({ onProductsChanged, onListed }: SiteManagerPanelsProps) => {
  const panels = usePanels();
  const panel = useShownPanel(panels);
  const navigate = useNavigate();
  const { data: stats, isError, isFetching, refetch } = useStatsQuery();
  const [isKeysOpen, setKeysOpen] = useState(false);
  useDeskKeys((key) => {
    const named = panels.find(({ goKey }) => goKey !== undefined && key === `g ${goKey}`);
    if (named) void navigate(`?panel=${named.id}`);
    if (key === '?') setKeysOpen(true);
    return named !== undefined || key === '?';
  });
  useLoadedOnEntry(onListed);
  // Only the server shows the page to somebody without a role, whom its guard refuses.
  if (!panel) return null;
  return (
    <div className="page-x pb-16 lg:pb-24">
      <PanelBar shown={panel} />
      <div className="pt-3 lg:pt-5">
        {isError && !stats && !isFetching && (
          <LoadFailed className="mb-3" onRetry={() => void refetch()}>
            The figures could not be loaded. Check your connection.
          </LoadFailed>
        )}
        <SummaryCards stats={stats} panel={panel.id} onChoose={(id) => void navigate(`?panel=${id}`)} />
      </div>
      <div className="mt-3 xl:mt-6 xl:grid xl:grid-cols-[11.25rem_minmax(0,1fr)] xl:gap-x-7">
        <PanelNav shown={panel} onKeys={() => setKeysOpen(true)} />
        <div className="min-w-0">
          <Suspense fallback={<div aria-busy="true" className="min-h-96" />}>{panel.show({ stats, onProductsChanged })}</Suspense>
        </div>
      </div>
      {isKeysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
    </div>
  );
};

/** Returns the panel that the URL names, else the first: it survives a reload and can be shared. */
const useShownPanel = (panels: readonly PanelEntry[]): PanelEntry | undefined => {
  const [params] = useSearchParams();
  return panels.find(({ id }) => id === params.get('panel')) ?? panels[0];
};

const useLoadedOnEntry = (onListed: SiteManagerPanelsProps['onListed']): void => {
  const { orders, subscribers, contacts } = adminApi.endpoints;
  const may = useMay();
  orders.useInfiniteQuerySubscription(may('orders') ? {} : skipToken);
  subscribers.useInfiniteQuerySubscription(may('figures') ? undefined : skipToken);
  contacts.useInfiniteQuerySubscription(may('customers') ? {} : skipToken);
  const { data: ofSubscribers } = subscribers.useInfiniteQueryState();
  const { data: ofContacts } = contacts.useInfiniteQueryState({});
  useEffect(
    () => onListed?.({ subscribers: joinPages(ofSubscribers?.pages ?? []), contacts: joinPages(ofContacts?.pages ?? []) }),
    [onListed, ofSubscribers, ofContacts],
  );
};
