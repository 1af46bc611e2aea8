import { RotateCw, WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { STEP } from '#domain/first-calls.ts';
import { LoadMore } from './LoadMore.tsx';
import { ProductGrid, ProductGridSkeleton } from './ProductGrid.tsx';
import { activeFilters, emptyHelp, familyWords, noFilters, type ShopFilters } from './shop-filters.ts';
import type { Listing } from './use-listing.ts';

type ListingResultsProps = {
  readonly listing: Listing;
  /** The products are not shown yet: they are under way, or the skeleton has only just been drawn. */
  readonly waiting: boolean;
  readonly skeletonDrawn: boolean;
  readonly filters: ShopFilters;
  readonly onChange: (filters: ShopFilters) => void;
  readonly AddToCart: AddToCartSlot | undefined;
};

export const ListingResults = ({ listing, waiting, skeletonDrawn, filters, onChange, AddToCart }: ListingResultsProps) => {
  if (listing.state === 'loading') return <ProductGridSkeleton places={listing.places} drawn={skeletonDrawn} />;
  if (waiting) return <ProductGridSkeleton places={listing.state === 'loaded' ? listing.products.length : STEP} drawn={skeletonDrawn} />;
  if (listing.state === 'failed') return <Failure onRetry={listing.retry} />;
  if (listing.products.length === 0) return <NothingFound filters={filters} onChange={onChange} />;
  return <Perfumes listing={listing} AddToCart={AddToCart} />;
};

type PerfumesProps = { readonly listing: Extract<Listing, { state: 'loaded' }>; readonly AddToCart: AddToCartSlot | undefined };

const Perfumes = ({ listing: { products, total, outdated, more }, AddToCart }: PerfumesProps) => {
  const grid = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number>(undefined);
  const shown = products.length;
  useEffect(() => {
    if (firstNew.current === undefined || firstNew.current >= shown) return;
    // Whoever pressed the button goes on reading at the first of the new ones.
    grid.current?.children[firstNew.current]?.querySelector('a')?.focus({ preventScroll: true });
    firstNew.current = undefined;
  }, [shown]);
  const onAsk = (): void => {
    firstNew.current = shown;
    more?.show();
  };
  return (
    <>
      <ProductGrid ref={grid} products={products} AddToCart={AddToCart} outdated={outdated} />
      {more && !outdated && <LoadMore shown={shown} total={total} more={more} onAsk={onAsk} />}
    </>
  );
};

const NothingFound = ({ filters, onChange }: Pick<ListingResultsProps, 'filters' | 'onChange'>) => {
  const words = familyWords(filters.types);
  const clear = (
    <Button kind="outline" onClick={() => onChange(noFilters)}>
      Clear all filters
    </Button>
  );
  return (
    <EmptyState
      title={words === undefined ? 'No products found' : `No products found in ${words}`}
      action={activeFilters(filters).length > 0 && clear}
    >
      {emptyHelp(filters)}
    </EmptyState>
  );
};

const Failure = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div role="alert" className="mx-auto flex max-w-md flex-col items-center py-20 text-center">
    <span className="inline-flex size-14 items-center justify-center rounded-full bg-sindoor-wash text-sindoor">
      <WifiOff className="size-6" strokeWidth={1.4} />
    </span>
    <h2 className="display mt-6 text-h2">Failed to load products.</h2>
    <p className="mt-3 text-clove">The shop did not answer. Your cart and filters are kept; try again in a moment.</p>
    <Button className="mt-7" onClick={onRetry}>
      <RotateCw className="size-4" strokeWidth={1.5} />
      Try again
    </Button>
  </div>
);
