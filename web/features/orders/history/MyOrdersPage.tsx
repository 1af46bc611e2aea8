import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { instant } from '#domain/shared/time.ts';
import { pages } from '#domain/site/pages.ts';
import { dayText, monthText } from '../../../lib/dates.ts';
import { moneyText, numberWord } from '../../../lib/format.ts';
import { type LoadMoreState, useShownCount } from '../../../lib/paged-list.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { LoadMore } from '../../../ui/LoadMore.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { PictureSkeleton, Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { PageHead } from '../PageHead.tsx';
import { BuyAgain } from '../details/BuyAgain.tsx';
import { TrackOrder } from '../details/OrderHead.tsx';
import { type OrderStory, tellOrder } from '../order-story.ts';
import { MY_ORDERS_PAGE } from '../order-api.ts';
import { detailsPath, formatOrderNumber, ITEMS } from '../order-paths.ts';
import { PayOrder } from '../payment/PayOrder.tsx';
import { paymentText } from '../payment/payment-sentences.ts';
import { findFailure, isPending, moreOrdersRequested, ordersRequested, selectOrder } from '../order-slice.ts';
import { Status } from '../../../ui/feedback/Status.tsx';

/** `/viewAllOrders`, which shows signed-in shoppers their placed orders, newest first. */
export const MyOrdersPage = () => {
  usePageTitle('My Orders');
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const failure = findFailure(state, 'list');
  const { shown } = useShownCount(MY_ORDERS_PAGE);
  const load = (): void => void dispatch(ordersRequested(shown));
  const loadFirst = useEffectEvent(load);
  useEffect(() => loadFirst(), []);
  const isListed = state.next !== undefined;
  const loading = !isListed && failure === null;
  const skeletonDrawn = useDelayedLoading(loading);

  if (loading || skeletonDrawn) return <OrdersLoading drawn={skeletonDrawn} />;
  if (!isListed && failure !== null) return <OrdersFailed error={failure.message} onRetry={load} />;
  return <OrderList />;
};

const Frame = ({ sub, children }: { readonly sub: ReactNode; readonly children: ReactNode }) => (
  <div className="page-x pb-section">
    <PageHead title="My Orders">{sub}</PageHead>
    {children}
  </div>
);

const LOADING = <Status className="mt-2 text-clove">Loading your orders...</Status>;

/** This loading state is also shown until it is known who is signed in. */
export const OrdersLoading = ({ drawn }: { readonly drawn: boolean }) => (
  <div aria-busy="true">
    <Frame sub={LOADING}>{drawn && <OrdersSkeleton />}</Frame>
  </div>
);

const OrdersFailed = ({ error, onRetry }: { readonly error: string; readonly onRetry: () => void }) => (
  <Frame sub={undefined}>
    <LoadFailed onRetry={onRetry}>{error}</LoadFailed>
  </Frame>
);

const NoOrders = () => (
  <EmptyState
    page
    title="My Orders"
    action={
      <ButtonLink to={pages.shop} size="lg">
        Visit the shop
      </ButtonLink>
    }
  >
    You haven’t placed any orders yet.
  </EmptyState>
);

/** Returns `Five orders since August 2026`. The orders must be sorted newest first. */
const historyText = (orders: readonly OrderView[]): string => {
  const count = `${numberWord(orders.length)} ${orders.length === 1 ? 'order' : 'orders'}`;
  const since = orders.at(-1)?.placedAt;
  return since ? `${count} since ${monthText(since)}` : count;
};

const OrderList = () => {
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const { orders, next } = state;
  const { show } = useShownCount(MY_ORDERS_PAGE);
  const failure = findFailure(state, 'list');
  if (orders.length === 0) return <NoOrders />;
  const isWhole = next === null;
  const more: LoadMoreState = {
    loading: isPending(state, 'more'),
    failed: findFailure(state, 'more') !== null,
    canLoad: !isPending(state, 'list'),
    show: () => {
      show(orders.length + MY_ORDERS_PAGE);
      dispatch(moreOrdersRequested());
    },
  };
  return (
    <Frame sub={<p className="mt-2 text-clove">{isWhole ? historyText(orders) : 'Your latest orders'}</p>}>
      {failure && <Alert className="mb-8">{failure.message}</Alert>}
      <ul>
        {orders.map((order) => (
          <OrderCard key={order._id} order={order} />
        ))}
      </ul>
      {!isWhole && <LoadMore shown={orders.length} more={more} />}
    </Frame>
  );
};

const SHOWN = 2;

const OrderCard = ({ order }: { readonly order: OrderView }) => {
  const { items, status, placedAt, total } = order;
  const [now] = useState(() => instant(new Date().toISOString()));
  const { title, deed } = tellOrder(order, now);
  const more = items.length - SHOWN;
  return (
    <li className="border-t border-sandal py-8 first:border-gold">
      <article className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[15rem_1fr_12rem]">
        <div className="flex items-start justify-between gap-4 lg:block">
          <div>
            <h2 className="figures text-[1.0625rem] font-medium">{formatOrderNumber(order)}</h2>
            {placedAt && <p className="mt-1 text-[0.875rem] text-clove">Placed {dayText(placedAt)}</p>}
          </div>
          <div className="lg:mt-4">
            <Badge status={status} />
          </div>
        </div>
        <div>
          <ul className="grid gap-5 sm:grid-cols-2">
            {items.slice(0, SHOWN).map((item) => (
              <Item key={item.product._id} item={item} />
            ))}
          </ul>
          {more > 0 && <p className="mt-5 text-[0.875rem] text-clove">+ {more} more items</p>}
          <p className="display mt-5 text-h3">{title}</p>
          <p role="status" className="figures mt-1 text-[0.9375rem] text-clove">
            {paymentText(order)}
          </p>
          <Deed order={order} deed={deed} />
        </div>
        <div className="flex items-center justify-between lg:flex-col lg:items-end lg:gap-2">
          <p className="figures text-[1.125rem] font-medium">{moneyText(total)}</p>
          <Link to={detailsPath(order._id)} className="link inline-flex min-h-11 items-center text-[0.9375rem] font-medium">
            View Details →<span className="sr-only"> of order {formatOrderNumber(order)}</span>
          </Link>
        </div>
      </article>
    </li>
  );
};

/** The same deed as on the order's page. What is told there at length is linked. */
const Deed = ({ order, deed }: { readonly order: OrderView } & Pick<OrderStory, 'deed'>) => {
  if (deed === 'wait') return null;
  const ofOrder = <span className="sr-only"> of order {formatOrderNumber(order)}</span>;
  return (
    <div className="mt-3 flex flex-wrap items-start gap-x-6 gap-y-2">
      {deed === 'pay' && <PayOrder order={order} />}
      {deed === 'track' && <TrackOrder order={order} kind="outline" />}
      {deed === 'send back' && <TextLink to={detailsPath(order._id)}>See where to send it{ofOrder}</TextLink>}
      {deed === 'buy again' && <BuyAgain order={order} kind="outline" />}
      {order.status === 'delivered' && deed === 'buy again' && (
        <TextLink to={`${detailsPath(order._id)}#${ITEMS}`}>Review your perfumes{ofOrder}</TextLink>
      )}
    </div>
  );
};

const Item = ({ item: { product, quantity } }: { readonly item: OrderItemView }) => (
  <li className="flex items-center gap-4">
    <Picture src={product.productImageUrl[0]} alt="" sizes="4.5rem" className="aspect-4/5 w-18 shrink-0 object-cover" />
    <div className="min-w-0">
      <p className="display text-[1.1875rem] leading-snug wrap-anywhere">{product.name}</p>
      <p className="figures mt-1 text-[0.875rem] text-clove">
        {quantity} x {product.price}
      </p>
    </div>
  </li>
);

const ItemSkeleton = () => (
  <div className="flex gap-4">
    <PictureSkeleton className="h-[5.6rem] w-18" />
    <div className="flex-1 pt-4">
      <Skeleton className="h-5 w-3/4" />
      <Skeleton className="mt-3 h-3.5 w-1/2" />
    </div>
  </div>
);

const OrdersSkeleton = () => (
  <div>
    {[1, 2, 3].map((place) => (
      <div key={place} className="grid gap-6 border-t border-sandal py-8 lg:grid-cols-[15rem_1fr_12rem]">
        <div>
          <Skeleton className="h-5 w-36" />
          <Skeleton className="mt-3 h-4 w-24" />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <ItemSkeleton />
          <ItemSkeleton />
        </div>
        <Skeleton className="h-5 w-24 lg:ml-auto" />
      </div>
    ))}
  </div>
);
