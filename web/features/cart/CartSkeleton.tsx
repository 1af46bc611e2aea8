import { cx } from '../../ui/cx.ts';
import { PictureSkeleton, Skeleton } from '../../ui/Skeleton.tsx';

/** Two lines and a summary, where they will stand. Drawn only where the cart lets the shopper wait; its place is kept before. */
export const CartSkeleton = ({ drawn }: { readonly drawn: boolean }) => (
  <div aria-busy="true" className="page-x">
    <div className="pt-block pb-8 md:pb-12">
      <h1 className="display text-h1">Your Cart</h1>
      <output className="mt-2 block text-clove">Loading your cart...</output>
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
