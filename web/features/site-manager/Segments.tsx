import type { LucideIcon } from 'lucide-react';
import { formatNumber } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';

type SegmentsProps<Value> = {
  readonly label: string;
  readonly options: readonly {
    readonly value: Value;
    readonly text: string;
    readonly icon?: LucideIcon;
    readonly count?: number | undefined;
  }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
};

export const Segments = <Value extends string | number>({ label, options, chosen, onChoose }: SegmentsProps<Value>) => (
  <div role="group" aria-label={label} className="no-bar -mx-gutter flex gap-1 overflow-x-auto px-gutter py-1 sm:mx-0 sm:px-0">
    {options.map(({ value, text, icon: Icon, count }) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === chosen}
        onClick={() => onChoose(value)}
        className={cx(
          'inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full px-3.5 text-[0.875rem] lg:min-h-9 lg:px-3',
          value === chosen ? 'bg-ink text-ivory' : 'text-clove hover:bg-ink/5 hover:text-ink',
        )}
      >
        {Icon && <Icon className="size-4" strokeWidth={1.5} />}
        <span>{text}</span>
        {count !== undefined && (
          <span className={cx('figures text-xs', value === chosen ? 'text-mist' : 'text-clove')}>{formatNumber(count)}</span>
        )}
      </button>
    ))}
  </div>
);
