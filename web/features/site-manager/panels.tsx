import {
  Activity,
  Boxes,
  ChartColumn,
  IndianRupee,
  type LucideIcon,
  Mail,
  MessageSquare,
  Package,
  KeyRound,
  Percent,
  ReceiptText,
  Sparkles,
  Star,
  Undo2,
  Users,
} from 'lucide-react';
import { type ComponentType, lazy, type ReactNode } from 'react';
import type { Duty } from '#domain/staff/duties.ts';
import type { Stats } from './admin-types.ts';
import { HealthWaiting } from './panels/HealthWaiting.tsx';
import { MessagesWaiting } from './messages/MessagesWaiting.tsx';
import { MoneyWaiting } from './money/MoneyWaiting.tsx';
import { ReviewsWaiting } from './reviews/ReviewsWaiting.tsx';
import { OrdersPanel, OrdersWaiting } from './orders/OrdersPanel.tsx';
import { CashDialog } from './orders/PaymentDialogs.tsx';
import { useMay } from './use-may.ts';
import { ReturnsWaiting } from './returns/ReturnsWaiting.tsx';
import { StockWaiting } from './stock/StockWaiting.tsx';

type PanelProps = {
  readonly stats: Stats | undefined;
  /** Called when a product was added, edited or deleted. */
  readonly onProductsChanged: () => void;
};

export type PanelEntry = {
  /** Names the panel in the URL (`?panel=`). */
  readonly id: string;
  readonly label: string;
  /** Members without it do not see the panel. */
  readonly duty: Duty;
  readonly icon: LucideIcon;
  /** Opens the panel after `g`. */
  readonly goKey?: string;
  /** Stands at the right of the label: what waits there, usually a `Count`. */
  readonly Waiting?: ComponentType;
  readonly show: (props: PanelProps) => ReactNode;
};

const CustomersPanel = lazy(async () => ({ default: (await import('./customers/CustomersPanel.tsx')).CustomersPanel }));
const InvoicesPanel = lazy(async () => ({ default: (await import('./invoices/InvoicesPanel.tsx')).InvoicesPanel }));
const MoneyPanel = lazy(async () => ({ default: (await import('./money/MoneyPanel.tsx')).MoneyPanel }));
const MessagesPanel = lazy(async () => ({ default: (await import('./messages/MessagesPanel.tsx')).MessagesPanel }));
const ReviewsPanel = lazy(async () => ({ default: (await import('./reviews/ReviewsPanel.tsx')).ReviewsPanel }));
const HealthPanel = lazy(async () => ({ default: (await import('./panels/HealthPanel.tsx')).HealthPanel }));
const SubscribersPanel = lazy(async () => ({ default: (await import('./panels/SubscribersPanel.tsx')).SubscribersPanel }));
const ProductsPanel = lazy(async () => ({ default: (await import('./products/ProductsPanel.tsx')).ProductsPanel }));
const SalesPanel = lazy(async () => ({ default: (await import('./sales/SalesPanel.tsx')).SalesPanel }));
const StockPanel = lazy(async () => ({ default: (await import('./stock/StockPanel.tsx')).StockPanel }));
const ReturnsPanel = lazy(async () => ({ default: (await import('./returns/ReturnsPanel.tsx')).ReturnsPanel }));
const StaffPanel = lazy(async () => ({ default: (await import('./staff/StaffPanel.tsx')).StaffPanel }));
const TaxPanel = lazy(async () => ({ default: (await import('./tax/TaxPanel.tsx')).TaxPanel }));

/** The panels of the Site Manager in groups; a new one is one entry. The first that a member sees is shown when the URL names none. */
const panelGroups: readonly (readonly PanelEntry[])[] = [
  [
    {
      id: 'orders',
      duty: 'orders',
      label: 'Orders',
      icon: Package,
      goKey: 'o',
      Waiting: OrdersWaiting,
      show: ({ stats }) => <OrdersPanel total={stats?.totalOrders} />,
    },
    { id: 'returns', duty: 'customers', label: 'Returns', icon: Undo2, goKey: 'r', Waiting: ReturnsWaiting, show: () => <ReturnsPanel /> },
    {
      id: 'messages',
      duty: 'customers',
      label: 'Messages',
      icon: MessageSquare,
      goKey: 'e',
      Waiting: MessagesWaiting,
      show: ({ stats }) => <MessagesPanel total={stats?.contactMessages} />,
    },
    { id: 'reviews', duty: 'customers', label: 'Reviews', icon: Star, goKey: 'v', Waiting: ReviewsWaiting, show: () => <ReviewsPanel /> },
  ],
  [
    {
      id: 'money',
      duty: 'money',
      label: 'Money',
      icon: IndianRupee,
      goKey: 'm',
      Waiting: MoneyWaiting,
      show: () => <MoneyPanel CashDialog={CashDialog} />,
    },
    { id: 'invoices', duty: 'money', label: 'Invoices', icon: ReceiptText, goKey: 'i', show: () => <InvoicesPanel /> },
    { id: 'tax', duty: 'products', label: 'Tax', icon: Percent, goKey: 't', show: () => <TaxPanel /> },
  ],
  [
    {
      id: 'products',
      duty: 'products',
      label: 'Products',
      icon: Sparkles,
      goKey: 'p',
      show: ({ onProductsChanged }) => <ProductsPanel onChanged={onProductsChanged} />,
    },
    {
      id: 'stock',
      duty: 'products',
      label: 'Stock',
      icon: Boxes,
      goKey: 's',
      Waiting: StockWaiting,
      show: ({ onProductsChanged }) => <StockPanel onChanged={onProductsChanged} />,
    },
  ],
  [
    { id: 'customers', duty: 'customers', label: 'Customers', icon: Users, goKey: 'c', show: () => <CustomersPanel /> },
    {
      id: 'subscribers',
      duty: 'figures',
      label: 'Subscribers',
      icon: Mail,
      goKey: 'u',
      show: ({ stats }) => <SubscribersPanel active={stats?.totalSubscribers} />,
    },
    { id: 'staff', duty: 'staff', label: 'Staff', icon: KeyRound, goKey: 'w', show: () => <StaffPanel /> },
  ],
  [
    { id: 'sales', duty: 'figures', label: 'Sales', icon: ChartColumn, goKey: 'a', show: ({ stats }) => <SalesPanel stats={stats} /> },
    { id: 'health', duty: 'figures', label: 'Health', icon: Activity, goKey: 'h', Waiting: HealthWaiting, show: () => <HealthPanel /> },
  ],
];

/** Returns the groups with the panels of the member's duties. */
export const usePanelGroups = (): readonly (readonly PanelEntry[])[] => {
  const may = useMay();
  return panelGroups.map((group) => group.filter(({ duty }) => may(duty))).filter((group) => group.length > 0);
};

export const usePanels = (): readonly PanelEntry[] => usePanelGroups().flat();
