import { Boxes, IndianRupee, type LucideIcon, Percent, ReceiptText, ScrollText } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { pages } from '#domain/site/pages.ts';
import { joinPages } from '../../lib/paged-list.ts';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { cx } from '../../ui/cx.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import type { ContactMessage, Stats, Subscriber } from './admin-types.ts';
import { HealthLine, HealthPanel } from './panels/HealthPanel.tsx';
import { adminApi, useStatsQuery } from './admin-api.ts';
import { InvoicesPanel } from './invoices/InvoicesPanel.tsx';
import { MoneyPanel } from './money/MoneyPanel.tsx';
import { OrdersPanel } from './orders/OrdersPanel.tsx';
import { MessagesPanel } from './panels/MessagesPanel.tsx';
import { SubscribersPanel } from './panels/SubscribersPanel.tsx';
import { ProductsPanel } from './products/ProductsPanel.tsx';
import { SalesPanel } from './sales/SalesPanel.tsx';
import { StockPanel } from './stock/StockPanel.tsx';
import { TaxPanel } from './tax/TaxPanel.tsx';
import { SummaryCards } from './SummaryCards.tsx';
import { usePanel, type Panel } from './use-panel.ts';

/** The lists contain only the rows that are loaded. */
export type CustomerLists = { readonly subscribers: readonly Subscriber[]; readonly contacts: readonly ContactMessage[] };

type SiteManagerPanelsProps = { readonly onProductsChanged: () => void; readonly onListed: ((lists: CustomerLists) => void) | undefined };

export const SiteManagerPanels = ({ onProductsChanged, onListed }: SiteManagerPanelsProps) => {
  const [panel, choose] = usePanel();
  const { data: stats, isError, isFetching, refetch } = useStatsQuery();
  useLoadedOnEntry(onListed);
  return (
    <div className="page-x pb-section">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 pt-10 pb-8 md:pt-14">
        <h1 className="display text-h1">Site Manager</h1>
        <div className="flex flex-wrap items-center gap-x-4 sm:gap-x-8">
          <PanelButton icon={IndianRupee} text="Money" isShown={panel === 'money'} onShow={() => choose('money')} />
          <PanelButton icon={Boxes} text="Stock" isShown={panel === 'stock'} onShow={() => choose('stock')} />
          <PanelButton icon={Percent} text="Tax" isShown={panel === 'tax'} onShow={() => choose('tax')} />
          <PanelButton icon={ReceiptText} text="Invoices" isShown={panel === 'invoices'} onShow={() => choose('invoices')} />
          <HealthLine isShown={panel === 'health'} onShow={() => choose('health')} />
          <TextLink to={pages.audit}>
            <ScrollText className="size-4" strokeWidth={1.5} />
            Audit
          </TextLink>
        </div>
      </div>
      {isError && !stats && !isFetching && (
        <LoadFailed className="mb-6" onRetry={() => void refetch()}>
          The figures could not be loaded. Check your connection.
        </LoadFailed>
      )}
      <SummaryCards stats={stats} panel={panel} onChoose={choose} />
      <div className="pt-10 md:pt-12">{renderPanel(panel, stats, onProductsChanged)}</div>
    </div>
  );
};

type PanelButtonProps = { readonly icon: LucideIcon; readonly text: string; readonly isShown: boolean; readonly onShow: () => void };

const PanelButton = ({ icon: Icon, text, isShown, onShow }: PanelButtonProps) => (
  <button
    type="button"
    aria-pressed={isShown}
    onClick={onShow}
    className={cx('inline-flex min-h-11 items-center gap-2.5 text-[0.9375rem] font-medium', isShown && 'text-oxblood')}
  >
    <Icon className="size-4" strokeWidth={1.5} />
    <span className="link">{text}</span>
  </button>
);

const renderPanel = (panel: Panel, stats: Stats | undefined, onProductsChanged: () => void): ReactNode => {
  switch (panel) {
    case 'orders':
      return <OrdersPanel total={stats?.totalOrders} />;
    case 'products':
      return <ProductsPanel onChanged={onProductsChanged} />;
    case 'subscribers':
      return <SubscribersPanel active={stats?.totalSubscribers} />;
    case 'sales':
      return <SalesPanel stats={stats} />;
    case 'messages':
      return <MessagesPanel total={stats?.contactMessages} />;
    case 'health':
      return <HealthPanel />;
    case 'money':
      return <MoneyPanel />;
    case 'stock':
      return <StockPanel onChanged={onProductsChanged} />;
    case 'tax':
      return <TaxPanel />;
    case 'invoices':
      return <InvoicesPanel />;
  }
};

const useLoadedOnEntry = (onListed: SiteManagerPanelsProps['onListed']): void => {
  const { orders, subscribers, contacts } = adminApi.endpoints;
  orders.useInfiniteQuerySubscription({});
  subscribers.useInfiniteQuerySubscription();
  contacts.useInfiniteQuerySubscription();
  const { data: ofSubscribers } = subscribers.useInfiniteQueryState();
  const { data: ofContacts } = contacts.useInfiniteQueryState();
  useEffect(
    () => onListed?.({ subscribers: joinPages(ofSubscribers?.pages ?? []), contacts: joinPages(ofContacts?.pages ?? []) }),
    [onListed, ofSubscribers, ofContacts],
  );
};
