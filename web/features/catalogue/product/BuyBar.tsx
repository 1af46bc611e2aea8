import { useEffect, useState, type RefObject } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { cx } from '../../../ui/cx.ts';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';

type BuyBarProps = {
  /** What it stands in for, once that is scrolled away. */
  readonly after: RefObject<HTMLElement | null>;
  readonly product: ProductView;
  readonly quantity: number;
  readonly AddToCart: AddToCartSlot;
};

const useScrolledPast = (element: RefObject<HTMLElement | null>): boolean => {
  const [past, setPast] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    // The window is taken to reach down without end, so that only what lies above it is out of sight.
    const observer = new IntersectionObserver((entries) => setPast(entries.at(-1)?.isIntersecting === false), {
      rootMargin: '0px 0px 1000000px 0px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return past;
};

/** On phones, the price and the button at the foot of the window while the page's own are out of sight above it. */
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
