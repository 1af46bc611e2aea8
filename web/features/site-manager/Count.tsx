import { formatNumber } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';

type CountProps = {
  readonly count: number | undefined;
  /** Says for screen readers what is counted: `to do`. */
  readonly of: string;
  /** Something is wrong, and not just to be done. */
  readonly isBad?: boolean;
};

/** How much waits, beside the name of its panel: grey for work, red for what is wrong, nothing for nothing. */
export const Count = ({ count = 0, of, isBad = false }: CountProps) =>
  count > 0 && (
    <span
      className={cx(
        'figures inline-flex h-5 min-w-6 items-center justify-center rounded-full px-1.5 text-xs',
        isBad ? 'bg-sindoor-wash font-medium text-sindoor' : 'bg-ash text-ash-deep',
      )}
    >
      <span>{formatNumber(count)}</span>
      <span className="sr-only"> {of}</span>
    </span>
  );
