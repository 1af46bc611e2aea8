import { Info } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Alert } from '../../ui/feedback/Alert.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SlowAnswer } from '../../ui/feedback/SlowAnswer.tsx';
import { PictureSkeleton, Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { TextButton } from '../../ui/TextLink.tsx';
import { cx } from '../../ui/cx.ts';
import { Field } from '../../ui/form/Field.tsx';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';
import { CartLines } from './CartLines.tsx';
import { CartSummary } from './CartSummary.tsx';
import { itemsText } from './cart-count.ts';
import { callRepeated, cartOpened, cartRequested, selectCart, selectFailedAddition, selectIsLoaded } from './cart-slice.ts';

type CartPageProps = {
  readonly suggestions?: ReactNode;
  /** The boxes of the order's texts, of the orders feature. */
  readonly texts?: ReactNode;
};

export const CartPage = ({ suggestions, texts }: CartPageProps) => {
  usePageTitle('Your Cart');
  const dispatch = useDispatch();
  // The cart is refetched, so that prices and stock are current.
  useEffect(() => {
    dispatch(cartOpened());
  }, [dispatch]);
  const { items, error } = useSelector(selectCart);
  const isLoaded = useSelector(selectIsLoaded);
  // Content below the cart is rendered once the cart has loaded, because the cart would push it down.
  const isSettled = isLoaded || items.length > 0 || error !== null;
  return (
    <>
      <CartContent texts={texts} />
      {isSettled && <div className="pb-section">{suggestions}</div>}
    </>
  );
};

const CartContent = ({ texts }: Pick<CartPageProps, 'texts'>) => {
  const dispatch = useDispatch();
  const { items, loading } = useSelector(selectCart);
  const isLoaded = useSelector(selectIsLoaded);
  // An item that was just added is shown even before the cart has loaded.
  const waiting = !isLoaded && items.length === 0 && loading;
  const skeletonDrawn = useDelayedLoading(waiting);
  const { main, onRemoved } = useFocusAfterRemoval();

  if (waiting || skeletonDrawn)
    return (
      <>
        <SlowAnswer onRetry={() => dispatch(callRepeated())} className="page-x mt-6" />
        <CartSkeleton drawn={skeletonDrawn} />
      </>
    );
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
            {texts}
          </div>
        </div>
        <CartSummary items={items} />
      </div>
    </div>
  );
};

/** Shows a failed load or change with a retry. A failed addition has its own toast. */
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

/** Placeholder for two lines and a summary. Its space is reserved from the start; it is drawn only if loading takes long. */
const CartSkeleton = ({ drawn }: { readonly drawn: boolean }) => (
  <div aria-busy="true" className="page-x">
    <div className="pt-block pb-8 md:pb-12">
      <h1 className="display text-h1">Your Cart</h1>
      <Status className="mt-2 text-clove">Loading your cart...</Status>
    </div>
    <div className={cx('grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]', !drawn && 'invisible')}>
      <ul className="border-t border-sandal">
        {[0, 1].map((line) => (
          <li
            key={line}
            className="grid grid-cols-[5.5rem_1fr] gap-x-4 border-b border-sandal py-6 sm:grid-cols-[7.5rem_1fr] sm:gap-x-7 sm:py-8"
          >
            <PictureSkeleton />
            <div>
              <Skeleton className="h-6 w-1/2" />
              <Skeleton className="mt-3 h-4 w-3/4" />
              <Skeleton className="mt-10 h-11 w-30" />
            </div>
          </li>
        ))}
      </ul>
      <Skeleton className="h-96" />
    </div>
  </div>
);

const EmptyCart = () => (
  <EmptyState
    page
    title="Your Cart"
    action={
      <ButtonLink to={pages.home} size="lg">
        Continue Shopping
      </ButtonLink>
    }
  >
    Your cart is empty, please click below button to continue shopping...
  </EmptyState>
);

/** The shop has no coupons, so the button answers without a call, and the answer is not an error. */
const CouponBox = () => {
  const [applied, setApplied] = useState(false);
  const apply = (event: SyntheticEvent): void => {
    event.preventDefault();
    setApplied(true);
  };
  return (
    <form onSubmit={apply}>
      <div className="flex items-end gap-2">
        <Field label="Coupon code" name="coupon" autoComplete="off" className="min-w-0 flex-1" onChange={() => setApplied(false)} />
        <Button type="submit" kind="outline" className="min-h-12">
          Apply
        </Button>
      </div>
      <output className="block">
        {applied && (
          <span className="mt-2 flex items-center gap-1.5 text-[0.875rem] text-clove">
            <Info className="size-4" strokeWidth={1.5} />
            Coupons are not available yet
          </span>
        )}
      </output>
    </form>
  );
};

/** Moves the focus, which removing a line would lose, to the line that took its place, else to the last line, else to the heading. */
const useFocusAfterRemoval = () => {
  const main = useRef<HTMLDivElement>(null);
  const removed = useRef<number>(undefined);
  // The effect runs after every render, because the render after a removal is the first without the line.
  useEffect(() => {
    if (removed.current === undefined) return;
    const names = main.current?.querySelectorAll<HTMLElement>('li h2 a') ?? [];
    const next = names[Math.min(removed.current, names.length - 1)] ?? main.current?.querySelector<HTMLElement>('h1');
    removed.current = undefined;
    next?.focus();
  });
  return {
    main,
    onRemoved: (index: number): void => {
      removed.current = index;
    },
  };
};
