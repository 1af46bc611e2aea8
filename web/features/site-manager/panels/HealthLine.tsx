import { Activity } from 'lucide-react';
import { cx } from '../../../ui/cx.ts';
import { useHealthQuery } from '../admin-api.ts';
import { worriesIn } from './health-warnings.ts';

/** How often the machinery is looked at, in milliseconds: nobody is told when it stops telling. */
const LOOK_EVERY = 30_000;

type HealthLineProps = { readonly isShown: boolean; readonly onShow: () => void };

/** Whether all is well behind the figures, in the head of every panel, and the way to what is not. */
export const HealthLine = ({ isShown, onShow }: HealthLineProps) => {
  const { data, isError } = useHealthQuery(undefined, { pollingInterval: LOOK_EVERY, skipPollingIfUnfocused: true });
  const worries = data ? worriesIn(data).length : 0;
  const text = isError
    ? 'Health unknown'
    : worries === 0
      ? 'All is well'
      : worries === 1
        ? '1 thing needs care'
        : `${worries} things need care`;
  const dot = isError ? 'border border-teak' : worries === 0 ? 'bg-khus' : 'bg-sindoor';
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className={cx('inline-flex min-h-11 items-center gap-2.5 text-[0.9375rem] font-medium', isShown && 'text-oxblood')}
    >
      <Activity className="size-4" strokeWidth={1.5} />
      <span className="link">Health</span>
      {data || isError ? (
        <span className="inline-flex items-center gap-2 font-normal text-clove">
          <span aria-hidden="true" className={cx('size-2 rounded-full', dot)} />
          {text}
        </span>
      ) : (
        <span className="skeleton inline-block h-[0.8em] w-22" aria-hidden="true" />
      )}
    </button>
  );
};
