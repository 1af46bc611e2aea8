import { useSearchParams } from 'react-router-dom';
import { MOST_AT_ONCE, type ShownCount } from '../../lib/paged-list.ts';

type Filter = 'q' | 'status' | 'view' | 'from' | 'to' | 'days' | 'next' | 'sort' | 'page' | 'order' | 'batch' | 'open';

const KEEP_PAGE = new Set(['page', 'order', 'batch', 'open']);

/** Returns the panel's filters, which are in the URL, so that Back restores the list. A filter that is not set is ''. */
export const useFilters = (): readonly [(name: Filter) => string, (changes: Partial<Record<Filter, string>>) => void] => {
  const [params, setParams] = useSearchParams();
  const filter = (changes: Partial<Record<Filter, string>>): void => {
    // `params` are one render behind while another change is being applied.
    const now = new URLSearchParams(window.location.search);
    // Another list begins with its first page.
    const page = Object.keys(changes).every((name) => KEEP_PAGE.has(name)) ? {} : { page: '' };
    const wanted = Object.entries({ ...Object.fromEntries(now), ...page, ...changes }).filter(([, value]) => value !== '');
    const next = new URLSearchParams(wanted);
    if (next.toString() !== now.toString()) setParams(next, { replace: true, state: { stay: true } });
  };
  return [(name) => params.get(name) ?? '', filter];
};

export const useFilter = (name: Filter): readonly [string, (value: string) => void] => {
  const [valueOf, filter] = useFilters();
  return [valueOf(name), (value) => filter({ [name]: value })];
};

/** Works like `useShownCount`, with the page in the URL: it shows all rows up to that page. */
export const usePagesShown = (step: number): ShownCount => {
  const [page, setPage] = useFilter('page');
  const shown = /^[1-9]\d{0,3}$/.test(page) ? Number(page) * step : step;
  return {
    step,
    shown,
    show: (count) => setPage(String(Math.ceil(count / step))),
    options: { initialPageParam: { limit: Math.min(shown, MOST_AT_ONCE) } },
  };
};
