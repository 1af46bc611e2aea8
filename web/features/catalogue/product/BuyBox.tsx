import { Heart, Truck } from 'lucide-react';
import { useState, useSyncExternalStore, type Ref } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Stepper } from '../../../ui/form/Stepper.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { arrivalWindow } from './delivery-window.ts';
import { ShareButton } from './ShareButton.tsx';
import { SquareButton } from './SquareButton.tsx';

type BuyRowProps = {
  readonly product: ProductView;
  readonly quantity: number;
  readonly onQuantityChange: (quantity: number) => void;
  readonly AddToCart: AddToCartSlot | undefined;
  readonly ref: Ref<HTMLDivElement>;
};

/** Its own row where the column is narrow, else all that stepper and icons leave. */
const wide = 'w-full @md:w-auto @md:flex-1';

/** How many, the one strong button, and the two small ones; under it when it would arrive. */
export const BuyRow = ({ product, quantity, onQuantityChange, AddToCart, ref }: BuyRowProps) => (
  <div className="@container">
    <div ref={ref} className="mt-7 flex flex-wrap items-stretch gap-3">
      {product.price !== '' && <Stepper name={product.name} value={quantity} onChange={onQuantityChange} size="lg" />}
      <div className={cx('flex gap-3 @md:order-3 @md:ml-0', product.price !== '' && 'ml-auto')}>
        <SaveButton name={product.name} />
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
    {product.inStock && product.price !== '' && <Arrival />}
  </div>
);

const still = () => () => {};

const Arrival = () => {
  const [now] = useState(() => Date.now());
  // A page that was drawn beforehand may be read on another day: its line is filled in by the reader's browser.
  const days = useSyncExternalStore(
    still,
    () => arrivalWindow(now),
    () => undefined,
  );
  return (
    <p className="mt-4 flex items-center gap-2.5 text-[0.875rem] text-clove">
      <Truck className="size-[1.125rem]" strokeWidth={1.5} />
      {days === undefined ? '\u00a0' : `Arrives ${days}. Delivery is free.`}
    </p>
  );
};

/** Toggles here only and is not kept, as on the cards. */
const SaveButton = ({ name }: { readonly name: string }) => {
  const [saved, setSaved] = useState(false);
  return <SquareButton icon={Heart} label={`Save ${name} to wishlist`} aria-pressed={saved} onClick={() => setSaved(!saved)} />;
};
