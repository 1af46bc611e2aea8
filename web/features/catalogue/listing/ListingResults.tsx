import { RotateCw, WifiOff } from 'lucide-react';
import { LISTING_PAGE_SIZE } from '#domain/site/pages.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { PagedList } from '../../../lib/paged-list.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { LoadMore } from '../../../ui/LoadMore.tsx';
import { PictureSkeleton, Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { cx } from '../../../ui/cx.ts';
import { ProductCard } from '../ProductCard.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { activeFilters, emptyHelp, familyWords, noFilters, type ShopFilters } from './shop-filters.ts';

type Listing = PagedList<ProductView>;

type ListingResultsProps = {
  readonly listing: Listing;
  /** Products are loading, or the skeleton must stay visible for its minimum time. */
  readonly waiting: boolean;
  readonly skeletonDrawn: boolean;
  readonly filters: ShopFilters;
  readonly onChange: (filters: ShopFilters) => void;
  readonly AddToCart: AddToCartSlot | undefined;
};

export const ListingResults = ({ listing, waiting, skeletonDrawn, filters, onChange, AddToCart }: ListingResultsProps) => {
  if (listing.state === 'loading') return <ProductGridSkeleton places={listing.places} drawn={skeletonDrawn} />;
  if (waiting)
    return <ProductGridSkeleton places={listing.state === 'loaded' ? listing.rows.length : LISTING_PAGE_SIZE} drawn={skeletonDrawn} />;
  if (listing.state === 'failed') return <Failure onRetry={listing.retry} />;
  if (listing.rows.length === 0) return <NothingFound filters={filters} onChange={onChange} />;
  return <Perfumes listing={listing} AddToCart={AddToCart} />;
};

type PerfumesProps = { readonly listing: Extract<Listing, { state: 'loaded' }>; readonly AddToCart: AddToCartSlot | undefined };

const Perfumes = ({ listing: { rows: products, total, outdated, more }, AddToCart }: PerfumesProps) => (
  <>
    <ProductGrid products={products} AddToCart={AddToCart} outdated={outdated} />
    {more && !outdated && <LoadMore shown={products.length} total={total} more={more} failure="Failed to load products." />}
  </>
);

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
    <p className="mt-3 text-clove">The shop did not answer. Your cart and filters are kept. Check your connection and try again.</p>
    <Button className="mt-7" onClick={onRetry}>
      <RotateCw className="size-4" strokeWidth={1.5} />
      Try again
    </Button>
  </div>
);

const columns = 'mt-8 grid grid-cols-2 gap-x-4 gap-y-10 md:grid-cols-3 md:gap-x-6 md:gap-y-14 xl:grid-cols-4';

/** On most screens, this many cards are visible without scrolling; their pictures load eagerly. */
const FIRST_ROW = 4;

type ProductGridProps = {
  readonly products: readonly ProductView[];
  readonly AddToCart?: AddToCartSlot | undefined;
  /** The products belong to the previous filters while the new ones load. */
  readonly outdated?: boolean;
};

const ProductGrid = ({ products, AddToCart, outdated = false }: ProductGridProps) => (
  <ul aria-label="Perfumes" aria-busy={outdated} className={cx(columns, 'transition-opacity', outdated && 'opacity-60 delay-150')}>
    {products.map((product, index) => (
      <li key={product._id}>
        <ProductCard product={product} AddToCart={AddToCart} heading="h2" priority={index < FIRST_ROW} />
      </li>
    ))}
  </ul>
);

/**
 * Placeholder cards. They take up space at once, so that Back can restore the scroll position, and are drawn only if loading takes long.
 */
const ProductGridSkeleton = ({ places, drawn }: { readonly places: number; readonly drawn: boolean }) => (
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
