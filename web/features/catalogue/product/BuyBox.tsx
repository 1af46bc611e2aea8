import { Check, Heart, type LucideIcon, Share2, Truck } from 'lucide-react';
import { type ComponentProps, type ComponentType, type Ref, type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { estimatedDelivery } from '#domain/order/rules.ts';
import type { ProductView } from '#domain/product/view.ts';
import { instant } from '#domain/shared/time.ts';
import { windowText } from '../../../lib/dates.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Stepper } from '../../../ui/form/Stepper.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { useWish } from '../wishlist-api.ts';
import { WishProblem } from '../WishProblem.tsx';

/** Returns the delivery window, in Indian time, of an order placed at `now` (ms since 1970). */
export const deliveryWindow = (now: number): string => windowText(estimatedDelivery(instant(new Date(now).toISOString())));

/** The cart takes this many of one product at most (domain/cart/cart.ts, which this page does not load). */
const MOST_IN_CART = 99;

/** A form for addresses to be notified about a sold-out product; `app` passes it in. */
export type NoticeSlot = ComponentType<{ readonly productId: string }>;

type BuyBoxProps = {
  readonly product: ProductView;
  readonly quantity: number;
  readonly onQuantityChange: (quantity: number) => void;
  readonly AddToCart: AddToCartSlot | undefined;
  readonly Notice: NoticeSlot | undefined;
  readonly ref: Ref<HTMLDivElement>;
};

/** The button has full width in a narrow column, else the width that stepper and icons leave. */
const wide = 'w-full @md:w-auto @md:flex-1';

/** Quantity, add-to-cart button, save and share buttons, and the delivery window. A sold-out product has the notice form instead. */
export const BuyBox = ({ product, quantity, onQuantityChange, AddToCart, Notice, ref }: BuyBoxProps) => (
  <div className="@container">
    <div ref={ref} className="mt-7 flex flex-wrap items-stretch gap-3">
      {product.price !== '' && <Stepper name={product.name} value={quantity} onChange={onQuantityChange} max={MOST_IN_CART} size="lg" />}
      <div className={cx('flex gap-3 @md:order-3 @md:ml-0', product.price !== '' && 'ml-auto')}>
        <SaveButton product={product} />
        <ShareButton name={product.name} />
      </div>
      {AddToCart && product.price !== '' && product.inStock && (
        <AddToCart product={product} quantity={quantity} look="button" className={wide} />
      )}
      {AddToCart && product.price !== '' && !product.inStock && (
        <Button size="lg" disabled className={wide}>
          Add to Cart
        </Button>
      )}
    </div>
    {product.inStock && product.price !== '' && <DeliveryWindow />}
    {Notice && !product.inStock && (
      <div className="mt-7">
        <Notice productId={product._id} />
      </div>
    )}
  </div>
);

const still = () => () => {};

const DeliveryWindow = () => {
  const [now] = useState(() => Date.now());
  // The server may have rendered the page on another day, so the dates are rendered in the browser only.
  const days = useSyncExternalStore(
    still,
    () => deliveryWindow(now),
    () => undefined,
  );
  return (
    <p className="mt-4 flex items-center gap-2.5 text-[0.875rem] text-clove">
      <Truck className="size-[1.125rem]" strokeWidth={1.5} />
      {days === undefined ? '\u00a0' : `Arrives ${days}. Delivery is free.`}
    </p>
  );
};

const SaveButton = ({ product: { _id, name } }: { readonly product: ProductView }) => {
  const { isWished, toggle, problem, dismiss } = useWish(_id);
  return (
    <>
      <SquareButton icon={Heart} label={`Save ${name} to wishlist`} aria-pressed={isWished} onClick={toggle} />
      <WishProblem problem={problem} onClose={dismiss} />
    </>
  );
};

const TOLD_FOR_MS = 2000;
const COPIED = 'Link copied';

const note = 'absolute right-0 bottom-full mb-2 rounded-xs bg-umber px-3 py-1.5 text-xs whitespace-nowrap text-ivory';

/** Opens the device's share sheet if there is one, else copies the URL and says so for two seconds. */
const ShareButton = ({ name }: { readonly name: string }) => {
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message === '') return undefined;
    const timer = setTimeout(() => setMessage(''), TOLD_FOR_MS);
    return () => clearTimeout(timer);
  }, [message]);

  const share = async (): Promise<void> => {
    const page = { title: name, url: location.href };
    try {
      if (typeof navigator.share === 'function') return await navigator.share(page);
      await navigator.clipboard.writeText(page.url);
      setMessage(COPIED);
    } catch (error) {
      // Closing the share sheet is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        setMessage('The link could not be copied. Please copy the address of this page.');
    }
  };
  return (
    <div className="relative">
      <SquareButton icon={message === COPIED ? Check : Share2} label={`Share ${name}`} onClick={() => void share()} />
      <output className={message === '' ? 'sr-only' : note}>{message}</output>
    </div>
  );
};

type SquareButtonProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & { readonly icon: LucideIcon; readonly label: string };

/** A square icon button as high as the stepper. Its icon is filled while pressed. */
const SquareButton = ({ icon: Icon, label, ...rest }: SquareButtonProps) => {
  const pressed = rest['aria-pressed'] === true;
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={cx(
        'inline-flex size-13 items-center justify-center rounded-xs border border-teak hover:border-ink hover:bg-ink/4',
        pressed && 'text-oxblood',
      )}
    >
      <Icon className={cx('size-5', pressed && 'fill-current')} strokeWidth={1.5} />
    </button>
  );
};

type BuyBarProps = {
  readonly after: RefObject<HTMLElement | null>;
  readonly product: ProductView;
  readonly quantity: number;
  readonly AddToCart: AddToCartSlot;
};

const useScrolledPast = (element: RefObject<HTMLElement | null>): boolean => {
  const [past, setPast] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    // The root is extended downwards, so that an element below the window does not count as out of view.
    const observer = new IntersectionObserver((entries) => setPast(entries.at(-1)?.isIntersecting === false), {
      rootMargin: '0px 0px 1000000px 0px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return past;
};

/** On phones, shows price and button at the bottom of the window while the page's own are scrolled out of view. */
export const BuyBar = ({ after, product, quantity, AddToCart }: BuyBarProps) => {
  const shown = useScrolledPast(after);
  return (
    <div
      inert={!shown}
      className={cx(
        'sticky bottom-0 z-20 -mt-16 flex h-16 items-center justify-between gap-4 border-t border-sandal bg-ivory px-gutter transition-[translate,visibility] duration-240 md:hidden',
        !shown && 'invisible translate-y-full',
      )}
    >
      <span className="figures text-[1.0625rem] font-medium">{product.price}</span>
      <AddToCart product={product} quantity={quantity} look="button" />
    </div>
  );
};
