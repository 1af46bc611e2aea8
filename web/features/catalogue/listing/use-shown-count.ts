import { useLocation, useNavigate } from 'react-router-dom';
import { STEP } from '#domain/first-calls.ts';

const shownIn = (state: unknown): number => {
  const shown = typeof state === 'object' && state !== null && 'shown' in state ? state.shown : undefined;
  return typeof shown === 'number' && shown > STEP ? shown : STEP;
};

/**
 * How many products are to be seen: 20, and 20 more with each step (specification, section 4). It is kept with the entry in the
 * history, so that Back finds the listing as long as it was left, and other filters begin at 20 again.
 */
export const useShownCount = (): readonly [number, (count: number) => void] => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const show = (shown: number): void => void navigate({ search }, { replace: true, state: { shown } });
  return [shownIn(state), show];
};
