import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/Alert.tsx';
import { cx } from '../../ui/cx.ts';
import { TextButton } from '../../ui/TextLink.tsx';
import { useDelayedLoading } from '../../ui/use-delayed-loading.ts';
import { cartOpened, cartRequested, selectCart, selectFailedAddition, selectIsLoaded } from './cart-slice.ts';
import { CartLines } from './CartLines.tsx';
import { CartSkeleton } from './CartSkeleton.tsx';
import { CartSummary } from './CartSummary.tsx';
import { CouponBox } from './CouponBox.tsx';
import { EmptyCart } from './EmptyCart.tsx';
import { OrderNote } from './OrderNote.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { itemsText } from './cart-count.ts';

/** `/cart`. `suggestions` stand under it, empty or not. */
export const CartPage = ({ suggestions }: { readonly suggestions?: ReactNode }) => {
  usePageTitle('Your Cart');
  const dispatch = useDispatch();
  // Prices and stock are those of now, also for who has had the cart open in the header for an hour.
  useEffect(() => {
    dispatch(cartOpened());
  }, [dispatch]);
  const { items, error } = useSelector(selectCart);
  const isLoaded = useSelector(selectIsLoaded);
  // What stands under a cart that is still on its way would be pushed down by it.
  const isSettled = isLoaded || items.length > 0 || error !== null;
  return (
    <>
      <CartContent />
      {isSettled && <div className="pb-section">{suggestions}</div>}
    </>
  );
};

const CartContent = () => {
  const { items, loading } = useSelector(selectCart);
  const isLoaded = useSelector(selectIsLoaded);
  // What the shopper has put in a moment ago is shown before the server has told of the rest.
  const waiting = !isLoaded && items.length === 0 && loading;
  const skeletonDrawn = useDelayedLoading(waiting);
  const { main, onRemoved } = useFocusAfterRemoval();

  if (waiting || skeletonDrawn) return <CartSkeleton drawn={skeletonDrawn} />;
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  if (items.length === 0)
    return (
      <div ref={main}>
        <CartProblem className={cx('page-x', isLoaded && 'pt-6')} />
        {isLoaded && <EmptyCart />}
      </div>
    );
  return (
    <div ref={main} className="page-x">
      <div className="pt-block pb-8 md:pb-12">
        <h1 tabIndex={-1} className="display text-h1 outline-none">
          Your Cart
        </h1>
        <p className="figures mt-2 text-clove">{itemsText(count)}</p>
      </div>
      <CartProblem className="mb-8" />
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]">
        <div className="min-w-0">
          <CartLines items={items} onRemoved={onRemoved} />
          <div className="mt-10 grid gap-8 sm:grid-cols-2">
            <CouponBox />
            <OrderNote />
          </div>
        </div>
        <CartSummary items={items} />
      </div>
    </div>
  );
};

/** What could not be loaded or changed, with the way on. An addition that failed has its own alert. */
const CartProblem = ({ className }: { readonly className: string }) => {
  const dispatch = useDispatch();
  const { error } = useSelector(selectCart);
  const isLoaded = useSelector(selectIsLoaded);
  const isSaidElsewhere = useSelector(selectFailedAddition) !== null;
  if (error === null || isSaidElsewhere) return null;
  return (
    <div className={className}>
      {!isLoaded && <h1 className="display mb-8 pt-block text-h1">Your Cart</h1>}
      <Alert
        action={
          <TextButton className="-my-2.5" onClick={() => dispatch(cartRequested())}>
            Try again
          </TextButton>
        }
      >
        {isLoaded ? 'Your cart could not be updated.' : 'Your cart could not be loaded.'} {error}
      </Alert>
    </div>
  );
};
