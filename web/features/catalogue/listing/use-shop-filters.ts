import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { readFilters, searchOf, type ShopFilters } from './shop-filters.ts';

type Apply = (
  filters: ShopFilters,
  options?: {
    /** Takes the place of the entry in the history: a word being typed is one step back, not one for each pause. */
    readonly replace?: boolean;
    /** Leaves the page where it is scrolled to; otherwise it begins at its top. */
    readonly stay?: boolean;
  },
) => void;

/** The filters that the address holds, and the way to go to others. A new address begins at the first step again. */
export const useShopFilters = (): readonly [ShopFilters, Apply] => {
  const { search } = useLocation();
  const navigate = useNavigate();
  const filters = useMemo(() => readFilters(new URLSearchParams(search)), [search]);
  const apply: Apply = (next, { replace = false, stay = false } = {}) =>
    void navigate({ search: searchOf(next) }, { replace, state: { stay } });
  return [filters, apply];
};
