import { useSearchParams } from 'react-router-dom';

export const panels = ['orders', 'products', 'subscribers', 'sales', 'messages', 'health'] as const;
export type Panel = (typeof panels)[number];

const isPanel = (name: string | null): name is Panel => panels.some((panel) => panel === name);

/** The chosen panel is in the URL, so that it survives a reload and can be shared. */
export const usePanel = (): readonly [Panel, (panel: Panel) => void] => {
  const [params, setParams] = useSearchParams();
  const named = params.get('panel');
  const show = (panel: Panel) => setParams({ panel }, { state: { stay: true } });
  return [isPanel(named) ? named : 'orders', show];
};
