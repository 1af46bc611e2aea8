import { LoaderCircle, SlidersHorizontal, X } from 'lucide-react';
import { lazy, type Ref, useMemo, useRef, useState, useTransition } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { LISTING_PAGE_SIZE } from '#domain/site/pages.ts';
import { createPagedList, useShownCount } from '../../../lib/paged-list.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Button } from '../../../ui/Button.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { cx } from '../../../ui/cx.ts';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import type { AddToCartSlot } from '../add-to-cart-slot.ts';
import { useProductPagesInfiniteQuery } from '../catalogue-api.ts';
import { areNearest, NEAREST } from '../nearest.ts';
import { ListingResults } from './ListingResults.tsx';
import {
  activeFilters,
  headingFor,
  noFilters,
  perfumeCount,
  toQuery,
  readFilters,
  formatSearch,
  type ShopFilters,
} from './shop-filters.ts';

type Apply = (
  filters: ShopFilters,
  options?: {
    /** Replaces the history entry, so that typing a word adds only one entry. */
    readonly replace?: boolean;
    /** Keeps the scroll position; without it the page starts at the top. */
    readonly stay?: boolean;
  },
) => void;

/** Returns the filters in the URL and a function that navigates to others. New filters start at the first page again. */
const useShopFilters = (): readonly [ShopFilters, Apply] => {
  const { search } = useLocation();
  const navigate = useNavigate();
  const filters = useMemo(() => readFilters(new URLSearchParams(search)), [search]);
  const apply: Apply = (next, { replace = false, stay = false } = {}) => {
    // `filters` are one render behind while another change is being applied.
    const now = readFilters(new URLSearchParams(window.location.search));
    const changes = Object.entries(next).filter(([name, value]) => value !== Reflect.get(filters, name));
    void navigate({ search: formatSearch({ ...now, ...Object.fromEntries(changes) }) }, { replace, state: { stay } });
  };
  return [filters, apply];
};

export const ShopPage = ({ AddToCart }: { readonly AddToCart?: AddToCartSlot }) => {
  const [filters, apply] = useShopFilters();
  const count = useShownCount(LISTING_PAGE_SIZE);
  const listing = createPagedList(useProductPagesInfiniteQuery(toQuery(filters), count.options), count);
  const skeletonDrawn = useDelayedLoading(listing.state === 'loading');
  const waiting = listing.state === 'loading' || skeletonDrawn;
  const { title, line } = headingFor(filters);
  usePageTitle(filters.q === '' ? title : `“${filters.q}” in ${title}`);

  const filterButton = useRef<HTMLButtonElement>(null);
  const change = (next: ShopFilters): void => {
    apply(next, { stay: true });
    // The focused chip is gone, so the focus moves to the filter button before its place.
    filterButton.current?.focus({ preventScroll: true });
  };
  const isMisspelt = listing.state === 'loaded' && !listing.outdated && areNearest(listing.rows, filters.q);
  const found = listing.state === 'loaded' && (isMisspelt ? NEAREST : perfumeCount(listing.total ?? listing.rows.length));
  const status = waiting ? 'Loading products...' : found;
  return (
    <div className="page-x pb-section">
      <div className="pt-block pb-8 md:pb-12">
        <h1 className="display text-display">{title}</h1>
        {line && <p className="mt-4 max-w-xl text-lead text-clove">{line}</p>}
      </div>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
        <SearchBox
          label="Search products"
          placeholder="Search products..."
          q={filters.q}
          onSearch={(q) => apply({ ...filters, q }, { stay: true, replace: filters.q !== '' })}
          className="sm:max-w-sm"
        />
        <div className="flex items-center justify-between gap-5">
          <output className="figures text-[0.9375rem] text-clove">{status}</output>
          <FilterButton ref={filterButton} filters={filters} onApply={apply} />
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

const loadPanel = () => import('./FilterPanel.tsx');
const FilterPanel = lazy(async () => ({ default: (await loadPanel()).FilterPanel }));

/** Loads the panel before the click. If it fails, the click loads the panel again. */
const preloadPanel = (): void => void loadPanel().catch(() => {});

type FilterButtonProps = {
  readonly filters: ShopFilters;
  readonly onApply: (filters: ShopFilters) => void;
  readonly ref: Ref<HTMLButtonElement>;
};

/** Opens the filter panel, whose chunk few visits need. A transition keeps the page while the button shows that the panel is loading. */
const FilterButton = ({ filters, onApply, ref }: FilterButtonProps) => {
  const [open, setOpen] = useState(false);
  /** The number of openings is the panel's key, so that each opening starts with the active filters. */
  const [times, setTimes] = useState(0);
  const [isComing, startTransition] = useTransition();
  const show = (): void =>
    startTransition(() => {
      setTimes(times + 1);
      setOpen(true);
    });
  const Icon = isComing ? LoaderCircle : SlidersHorizontal;
  return (
    <>
      <Button
        ref={ref}
        kind="outline"
        className="min-h-12"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-busy={isComing}
        onPointerEnter={preloadPanel}
        onFocus={preloadPanel}
        onClick={show}
      >
        <Icon className={cx('size-[1.125rem]', isComing && 'animate-spin')} strokeWidth={1.5} />
        Filter & Sort
      </Button>
      {times > 0 && <FilterPanel key={times} open={open} onClose={() => setOpen(false)} filters={filters} onApply={onApply} />}
    </>
  );
};

type ActiveFiltersProps = { readonly filters: ShopFilters; readonly onChange: (filters: ShopFilters) => void };

const ActiveFilters = ({ filters, onChange }: ActiveFiltersProps) => {
  const active = activeFilters(filters);
  if (active.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="mt-5 flex flex-wrap items-center gap-2">
      {active.map(({ label, without }) => (
        <li key={label} className="max-w-full">
          <Chip label={label} onRemove={() => onChange(without)} />
        </li>
      ))}
      <li>
        <button type="button" onClick={() => onChange(noFilters)} className="link ml-2 min-h-10 px-1 text-[0.875rem] font-medium">
          Clear all
        </button>
      </li>
    </ul>
  );
};

const Chip = ({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) => (
  <span className="inline-flex h-10 items-center gap-1 rounded-full border border-sandal bg-white pr-1 pl-4 text-[0.875rem]">
    {label}
    <button
      type="button"
      aria-label={`Remove ${label}`}
      onClick={onRemove}
      className="inline-flex size-8 items-center justify-center rounded-full text-clove hover:bg-ink/6 hover:text-ink"
    >
      <X className="size-4" strokeWidth={1.5} />
    </button>
  </span>
);
