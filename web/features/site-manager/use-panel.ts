import { useSearchParams } from 'react-router-dom';

export const panels = ['orders', 'products', 'subscribers', 'sales', 'messages', 'health'] as const;
export type Panel = (typeof panels)[number];

const isPanel = (name: string | null): name is Panel => panels.some((panel) => panel === name);

/** Which panel is shown stands in the address, so that it can be kept, shared and come back to. */
export const usePanel = (): readonly [Panel, (panel: Panel) => void] => {
  const [params, setParams] = useSearchParams();
  const named = params.get('panel');
  const show = (panel: Panel) => setParams({ panel }, { state: { stay: true } });
  return [isPanel(named) ? named : 'orders', show];
};
