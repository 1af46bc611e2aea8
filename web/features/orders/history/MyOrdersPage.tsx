import { useEffect, useState, type ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { pages } from '#domain/pages.ts';
import type { OrderView } from '#domain/order/view.ts';
import { monthText } from '../../../lib/dates.ts';
import { numberWord } from '../../../lib/numbers.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { Niche } from '../../../ui/Niche.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { useDelayedLoading } from '../../../ui/use-delayed-loading.ts';
import { ordersRequested, selectOrder } from '../order-slice.ts';
import { selectOrderScreen } from '../order-screen-slice.ts';
import { PageHead } from '../PageHead.tsx';
import { OrderCard } from './OrderCard.tsx';
import { OrdersSkeleton } from './OrdersSkeleton.tsx';

/** `/viewAllOrders`, for who is signed in: the placed orders, newest first. */
export const MyOrdersPage = () => {
  usePageTitle('My Orders');
  const dispatch = useDispatch();
  const { orders, error } = useSelector(selectOrder);
  const { listed, failure } = useSelector(selectOrderScreen);
  const load = (): void => void dispatch(ordersRequested());
  useEffect(() => void dispatch(ordersRequested()), [dispatch]);
  const loading = !listed && failure === null;
  const skeletonDrawn = useDelayedLoading(loading);

  if (loading || skeletonDrawn) return <OrdersComing drawn={skeletonDrawn} />;
  if (error !== null) return <OrdersMissed error={error} onRetry={load} />;
  return orders.length === 0 ? <NoOrders /> : <OrderList orders={orders} />;
};

const Frame = ({ sub, children }: { readonly sub: ReactNode; readonly children: ReactNode }) => (
  <div className="page-x pb-section">
    <PageHead title="My Orders">{sub}</PageHead>
    {children}
  </div>
);

const LOADING = (
  <p role="status" className="mt-2 text-clove">
    Loading your orders...
  </p>
);

/** Also while it is not yet known who is signed in. */
export const OrdersComing = ({ drawn }: { readonly drawn: boolean }) => (
  <div aria-busy="true">
    <Frame sub={LOADING}>{drawn && <OrdersSkeleton />}</Frame>
  </div>
);

const OrdersMissed = ({ error, onRetry }: { readonly error: string; readonly onRetry: () => void }) => (
  <Frame sub={undefined}>
    <Alert action={<TextButton onClick={onRetry}>Try again</TextButton>}>{error}</Alert>
  </Frame>
);

const NoOrders = () => (
  <div className="page-x flex flex-col items-center py-section text-center">
    <Niche className="h-40 text-gold" strokeWidth={0.6} />
    <h1 className="display mt-8 text-h1">My Orders</h1>
    <p className="mt-4 max-w-md text-lead text-clove">You haven’t placed any orders yet.</p>
    <ButtonLink to={pages.shop} size="lg" className="mt-8">
      Visit the shop
    </ButtonLink>
  </div>
);

/** Shown at a time: of years of orders, nobody wants to see all. */
const STEP = 20;

/** `Five orders since August 2026`; they come newest first. */
const historyText = (orders: readonly OrderView[]): string => {
  const count = `${numberWord(orders.length)} ${orders.length === 1 ? 'order' : 'orders'}`;
  const since = orders.at(-1)?.placedAt;
  return since ? `${count} since ${monthText(since)}` : count;
};

const OrderList = ({ orders }: { readonly orders: readonly OrderView[] }) => {
  const [shown, setShown] = useState(STEP);
  return (
    <Frame sub={<p className="mt-2 text-clove">{historyText(orders)}</p>}>
      <ul>
        {orders.slice(0, shown).map((order) => (
          <OrderCard key={order._id} order={order} />
        ))}
      </ul>
      {orders.length > shown && (
        <div className="mt-4 flex justify-center">
          <Button kind="outline" onClick={() => setShown(shown + STEP)}>
            Load more
          </Button>
        </div>
      )}
    </Frame>
  );
};
