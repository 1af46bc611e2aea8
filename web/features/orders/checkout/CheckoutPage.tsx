import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import type { CartItemView } from '#domain/cart/view.ts';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { BusyOverlay } from '../../../ui/overlay/BusyOverlay.tsx';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { TextButton, TextLink } from '../../../ui/TextLink.tsx';
import { CheckoutSteps } from '../CheckoutSteps.tsx';
import { PageHead } from '../PageHead.tsx';
import { detailsPath } from '../order-paths.ts';
import { callRepeated, draftLeft, isPending, orderReset, selectOrder } from '../order-slice.ts';
import { linesOfCart } from '../summary/summary-lines.ts';
import { CheckoutForm } from './CheckoutForm.tsx';
import { checkoutOpened, selectHasExpired, type KnownContact } from './checkout-slice.ts';
import { Status } from '../../../ui/feedback/Status.tsx';

/** The parts of the cart feature that the checkout needs; `app` passes them in. */
type CartAtCheckout = {
  readonly items: readonly CartItemView[];
  /** Whether the cart has loaded. Before that, an empty list does not mean an empty cart. */
  readonly known: boolean;
  readonly problem?: string | undefined;
  readonly onRetry?: () => void;
  readonly onRepeat: () => void;
};

type CheckoutPageProps = {
  readonly cart: CartAtCheckout;
  /** Null for a visitor who is not signed in. */
  readonly shopper: KnownContact | null;
  readonly shopperLoading?: boolean;
  readonly provider: string | undefined;
  readonly signIn: string;
};

export const CheckoutPage = ({ cart, shopper, shopperLoading = false, provider, signIn }: CheckoutPageProps) => {
  usePageTitle('Complete Your Order');
  useCheckoutOf(shopper);
  const dispatch = useDispatch();
  const order = useSelector(selectOrder);
  const { calls, placing } = order;
  const isPlacing = isPending(order, 'place');
  const [cameBack] = useState(isPlacing);
  // A shopper who went back while the order was being placed is redirected to it.
  if (cameBack && placing?.placedAt) return <Navigate to={detailsPath(placing._id)} replace />;
  // The form stays while it is being submitted or after a failure, even if the cart becomes empty.
  const underWay = Boolean(calls.create ?? calls.place);
  if (cart.known && cart.items.length === 0 && !underWay) return <NothingToOrder signIn={signIn} shopperLoading={shopperLoading} />;
  return (
    <div className="page-x pb-section">
      <PageHead title="Complete Your Order">
        <CheckoutSteps at="Shipping" />
      </PageHead>
      <SessionExpired signIn={signIn} shopperLoading={shopperLoading} />
      <FormOf cart={cart} provider={provider} signIn={signIn} />
      {isPlacing && (
        <BusyOverlay blocks onRetry={() => dispatch(callRepeated())}>
          Placing your order
        </BusyOverlay>
      )}
    </div>
  );
};

/** Resets the state of an earlier order and fills in the shopper's data, also when they sign in midway. */
const useCheckoutOf = (shopper: KnownContact | null): void => {
  const dispatch = useDispatch();
  const { name, email, phone } = shopper ?? {};
  useEffect(() => {
    dispatch(orderReset());
    return () => void dispatch(draftLeft());
  }, [dispatch]);
  useEffect(() => {
    const known = name !== undefined && email !== undefined && phone !== undefined;
    dispatch(checkoutOpened(known ? { name, email, phone } : null));
  }, [dispatch, name, email, phone]);
};

const FormOf = ({ cart, provider, signIn }: Omit<CheckoutPageProps, 'shopper' | 'shopperLoading'>) => {
  if (cart.known) return <CheckoutForm lines={linesOfCart(cart.items)} provider={provider} signIn={signIn} onRepeat={cart.onRepeat} />;
  if (cart.problem === undefined)
    return (
      <>
        <SlowAnswer onRetry={cart.onRepeat} className="mb-10" />
        <FormSkeleton />
      </>
    );
  return <Alert action={<TextButton onClick={cart.onRetry}>Try again</TextButton>}>Your cart could not be loaded. {cart.problem}</Alert>;
};

type ToSignIn = Required<Pick<CheckoutPageProps, 'signIn' | 'shopperLoading'>>;

/** Offers a sign-in when the typed form belongs to a user whose session has expired. The form returns with that user. */
const SessionExpired = ({ signIn, shopperLoading }: ToSignIn) =>
  useSelector(selectHasExpired) &&
  !shopperLoading && (
    <Alert kind="warning" className="mb-10" action={<TextLink to={signIn}>Sign in</TextLink>}>
      Your session has ended. Sign in again, and what you have typed is back.
    </Alert>
  );

const NothingToOrder = (toSignIn: ToSignIn) => (
  <>
    <div className="page-x pt-block empty:hidden">
      <SessionExpired {...toSignIn} />
    </div>
    <EmptyState
      page
      title="Your cart is empty"
      action={
        <ButtonLink to={pages.shop} size="lg">
          Visit the shop
        </ButtonLink>
      }
    >
      There is nothing to send yet. Choose a perfume, then come back.
    </EmptyState>
  </>
);

const FormSkeleton = () => (
  <div aria-busy="true" className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]">
    <div className="space-y-6">
      <Status className="sr-only">Loading your cart</Status>
      {['name', 'address', 'city', 'phone'].map((field) => (
        <Skeleton key={field} className="h-18" />
      ))}
    </div>
    <Skeleton className="h-96" />
  </div>
);
