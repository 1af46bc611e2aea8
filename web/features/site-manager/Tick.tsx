import { Check, Lock, Minus } from 'lucide-react';
import { cx } from '../../ui/cx.ts';

type TickProps = {
  readonly label: string;
  readonly isOn: boolean;
  /** Some of what it stands for are ticked. */
  readonly isMixed?: boolean;
  /** Says why it cannot be changed. */
  readonly lock?: string | undefined;
  /** The last change is under way: a click does nothing. */
  readonly isBusy?: boolean;
  readonly onTick: (withShift: boolean) => void;
  readonly className: string;
};

/** A checkbox without words, whose target is as large as its corner of the row. */
export const Tick = ({ label, isOn, isMixed = false, lock, isBusy = false, onTick, className }: TickProps) => {
  const isLocked = lock !== undefined;
  const Mark = isLocked ? Lock : isMixed ? Minus : Check;
  return (
    <label
      title={lock}
      className={cx(
        'flex has-focus-visible:outline-2 has-focus-visible:-outline-offset-4 has-focus-visible:outline-oxblood',
        isLocked ? 'cursor-not-allowed' : 'cursor-pointer',
        className,
      )}
    >
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        disabled={isLocked}
        aria-disabled={isBusy || undefined}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={() => {}}
        onClick={({ shiftKey }) => {
          if (!isBusy) onTick(shiftKey);
        }}
        className="sr-only"
      />
      <span
        className={cx(
          'inline-flex size-5 items-center justify-center rounded-xs border forced-color-adjust-none',
          isLocked
            ? 'border-clove bg-clove text-ivory'
            : isOn || isMixed
              ? 'border-oxblood bg-oxblood text-ivory'
              : 'border-teak bg-white text-transparent',
        )}
      >
        <Mark className={isLocked ? 'size-3' : 'size-3.5'} strokeWidth={2.5} />
      </span>
    </label>
  );
};
