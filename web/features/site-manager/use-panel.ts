import { useSearchParams } from 'react-router-dom';

export const panels = ['orders', 'products', 'subscribers', 'sales', 'messages', 'health', 'money', 'stock', 'tax'] as const;
export type Panel = (typeof panels)[number];

const isPanel = (name: string | null): name is Panel => panels.some((panel) => panel === name);

/** The chosen panel is in the URL, so that it survives a reload and can be shared. */
/** A filter of the panel, kept in the URL too, so that Back finds the list as it was left. Empty when there is none. */
export const useFilter = (name: 'q' | 'status'): readonly [string, (value: string) => void] => {
  const [params, setParams] = useSearchParams();
  const value = params.get(name) ?? '';
  const filter = (next: string): void => {
    if (next === value) return;
    const { [name]: _, ...others } = Object.fromEntries(params);
    setParams(next === '' ? others : { ...others, [name]: next }, { replace: true, state: { stay: true } });
  };
  return [value, filter];
};

export const usePanel = (): readonly [Panel, (panel: Panel) => void] => {
  const [params, setParams] = useSearchParams();
  const named = params.get('panel');
  const show = (panel: Panel) => setParams({ panel }, { state: { stay: true } });
  return [isPanel(named) ? named : 'orders', show];
};
