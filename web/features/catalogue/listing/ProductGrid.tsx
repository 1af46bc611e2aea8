import type { Ref } from 'react';
import type { ProductView } from '#domain/product/view.ts';
import { cx } from '../../../ui/cx.ts';
import { PictureSkeleton, Skeleton } from '../../../ui/Skeleton.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { ProductCard } from '../ProductCard.tsx';

/** Two columns on phones, three, four; the same for the cards and for the places kept for them. */
const columns = 'mt-8 grid grid-cols-2 gap-x-4 gap-y-10 md:grid-cols-3 md:gap-x-6 md:gap-y-14 xl:grid-cols-4';

/** Cards that stand in the first window of most screens: their pictures do not wait. */
const FIRST_ROW = 4;

type ProductGridProps = {
  readonly products: readonly ProductView[];
  readonly AddToCart?: AddToCartSlot | undefined;
  /** They answer an older question, and the new answer is under way. */
  readonly outdated?: boolean;
  readonly ref?: Ref<HTMLUListElement>;
};

export const ProductGrid = ({ products, AddToCart, outdated = false, ref }: ProductGridProps) => (
  <ul
    ref={ref}
    aria-label="Perfumes"
    aria-busy={outdated}
    className={cx(columns, 'transition-opacity', outdated && 'opacity-60 delay-150')}
  >
    {products.map((product, index) => (
      <li key={product._id}>
        <ProductCard product={product} AddToCart={AddToCart} heading="h2" priority={index < FIRST_ROW} />
      </li>
    ))}
  </ul>
);

/** The places of cards under way. They take their room at once, so that Back finds its place, and are drawn only when it takes long. */
export const ProductGridSkeleton = ({ places, drawn }: { readonly places: number; readonly drawn: boolean }) => (
  <div aria-hidden="true" className={cx(columns, !drawn && 'invisible')}>
    {Array.from({ length: places }, (_, index) => (
      <ProductCardSkeleton key={index} />
    ))}
  </div>
);

const ProductCardSkeleton = () => (
  <div>
    <PictureSkeleton />
    <Skeleton className="mt-4 h-5 w-3/4" />
    <Skeleton className="mt-2.5 h-3.5 w-full" />
    <Skeleton className="mt-1.5 h-3 w-2/3 sm:hidden" />
    <div className="mt-5 flex h-9.5 items-start justify-between">
      <Skeleton className="h-4 w-20" />
      <Skeleton className="h-4 w-16" />
    </div>
  </div>
);
