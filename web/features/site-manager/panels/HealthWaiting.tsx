import { cx } from '../../../ui/cx.ts';
import { Count } from '../Count.tsx';
import { useHealthQuery } from '../admin-api.ts';
import { listWarnings } from './health-warnings.ts';

/** Polled, because a server in trouble may send no events. */
const POLL_INTERVAL_MS = 30_000;

/** Says beside the panel's name whether all is well. */
export const HealthWaiting = () => {
  const { data, isError } = useHealthQuery(undefined, { pollingInterval: POLL_INTERVAL_MS, skipPollingIfUnfocused: true });
  const worries = data ? listWarnings(data).length : 0;
  if (worries > 0) return <Count count={worries} of={worries === 1 ? 'thing needs care' : 'things need care'} isBad />;
  if (!data && !isError) return <span className="skeleton inline-block h-[0.8em] w-18" aria-hidden="true" />;
  return (
    <span className={cx('-mr-1 inline-flex items-center gap-1.5 text-xs whitespace-nowrap', isError ? 'text-clove' : 'text-khus-deep')}>
      <span aria-hidden="true" className={cx('size-2 rounded-full', isError ? 'border border-teak' : 'bg-khus')} />
      <span>{isError ? 'unknown' : 'All is well'}</span>
    </span>
  );
};
