import { useRef } from 'react';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { useDelayedLoading } from '../../../ui/use-delayed-loading.ts';
import { ActiveFilters } from './ActiveFilters.tsx';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { FilterPanel } from './FilterPanel.tsx';
import { ListingResults } from './ListingResults.tsx';
import { SearchBox } from './SearchBox.tsx';
import { headingOf, type ShopFilters } from './shop-filters.ts';
import { useListing } from './use-listing.ts';
import { useShopFilters } from './use-shop-filters.ts';
import { perfumes } from '../catalogue-text.ts';

/** `/shop`: the perfumes that the address asks for. */
export const ShopPage = ({ AddToCart }: { readonly AddToCart?: AddToCartSlot }) => {
  const [filters, apply] = useShopFilters();
  const listing = useListing(filters);
  const skeletonDrawn = useDelayedLoading(listing.state === 'loading');
  const waiting = listing.state === 'loading' || skeletonDrawn;
  const { title, line } = headingOf(filters);
  usePageTitle(filters.q === '' ? title : `“${filters.q}” in ${title}`);

  const filterButton = useRef<HTMLButtonElement>(null);
  const change = (next: ShopFilters): void => {
    apply(next, { stay: true });
    // The chip that had the focus is gone; this button stands right before where it was.
    filterButton.current?.focus({ preventScroll: true });
  };
  const status = waiting ? 'Loading products...' : listing.state === 'loaded' ? perfumes(listing.total) : '';
  return (
    <div className="page-x pb-section">
      <div className="pt-block pb-8 md:pb-12">
        <h1 className="display text-display">{title}</h1>
        {line && <p className="mt-4 max-w-xl text-lead text-clove">{line}</p>}
      </div>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
        <SearchBox q={filters.q} onSearch={(q) => apply({ ...filters, q }, { stay: true, replace: filters.q !== '' })} />
        <div className="flex items-center justify-between gap-5">
          <output className="figures text-[0.9375rem] text-clove">{status}</output>
          <FilterPanel ref={filterButton} filters={filters} onApply={apply} />
        </div>
      </div>
      <ActiveFilters filters={filters} onChange={change} />
      <ListingResults
        listing={listing}
        waiting={waiting}
        skeletonDrawn={skeletonDrawn}
        filters={filters}
        onChange={change}
        AddToCart={AddToCart}
      />
    </div>
  );
};
