import { Minus, Plus } from 'lucide-react';
import { useRef } from 'react';
import { cx } from '../cx.ts';

type StepperProps = {
  readonly name: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly max?: number | undefined;
  readonly size?: 'md' | 'lg';
};

export const Stepper = ({ name, value, onChange, max = Infinity, size = 'md' }: StepperProps) => {
  const shown = useRef<HTMLOutputElement>(null);
  const change = (to: number): void => {
    onChange(to);
    // The pressed button becomes disabled and would lose the focus, so the number takes it.
    if (to <= 1 || to >= max) shown.current?.focus({ preventScroll: true });
  };
  const step = cx('inline-flex items-center justify-center hover:bg-ink/5 disabled:text-teak/60', size === 'lg' ? 'w-13' : 'w-11');
  return (
    <div
      role="group"
      aria-label={`Quantity of ${name}`}
      className={cx('inline-flex items-stretch rounded-xs border border-teak bg-white', size === 'lg' ? 'h-13' : 'h-11')}
    >
      <button
        type="button"
        aria-label={`Decrease quantity of ${name}`}
        disabled={value <= 1}
        onClick={() => change(value - 1)}
        className={step}
      >
        <Minus className="size-4" strokeWidth={1.5} />
      </button>
      <output ref={shown} tabIndex={-1} className="figures inline-flex min-w-8 items-center justify-center text-[0.9375rem] font-medium">
        {value}
      </output>
      <button
        type="button"
        aria-label={`Increase quantity of ${name}`}
        disabled={value >= max}
        onClick={() => change(value + 1)}
        className={step}
      >
        <Plus className="size-4" strokeWidth={1.5} />
      </button>
    </div>
  );
};
