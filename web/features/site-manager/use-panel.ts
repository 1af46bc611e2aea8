import { useSearchParams } from 'react-router-dom';

export const panels = ['orders', 'products', 'subscribers', 'sales', 'messages', 'health', 'money', 'stock', 'tax', 'invoices'] as const;
export type Panel = (typeof panels)[number];

const isPanel = (name: string | null): name is Panel => panels.some((panel) => panel === name);

type Filter = 'q' | 'status' | 'view' | 'from' | 'to';

/** Returns the panel's filters, which are in the URL, so that Back restores the list. A filter that is not set is ''. */
export const useFilters = (): readonly [(name: Filter) => string, (changes: Partial<Record<Filter, string>>) => void] => {
  const [params, setParams] = useSearchParams();
  const filter = (changes: Partial<Record<Filter, string>>): void => {
    // `params` are one render behind while another change is being applied.
    const now = new URLSearchParams(window.location.search);
    const wanted = Object.entries({ ...Object.fromEntries(now), ...changes }).filter(([, value]) => value !== '');
    const next = new URLSearchParams(wanted);
    if (next.toString() !== now.toString()) setParams(next, { replace: true, state: { stay: true } });
  };
  return [(name) => params.get(name) ?? '', filter];
};

export const useFilter = (name: Filter): readonly [string, (value: string) => void] => {
  const [valueOf, filter] = useFilters();
  return [valueOf(name), (value) => filter({ [name]: value })];
};

/** Returns the chosen panel, which is in the URL, so that it survives a reload and can be shared. */
export const usePanel = (): readonly [Panel, (panel: Panel) => void] => {
  const [params, setParams] = useSearchParams();
  const named = params.get('panel');
  const show = (panel: Panel) => setParams({ panel }, { state: { stay: true } });
  return [isPanel(named) ? named : 'orders', show];
};
