import { useLayoutEffect, useRef, useState } from 'react';
import { latinDigits } from '#domain/shared/text.ts';
import { cx } from '../../ui/cx.ts';
import type { FormField } from '../../ui/form/use-validated-form.ts';

export const CODE_LENGTH = 6;

type CodeInputProps = FormField & { readonly purpose: string };

/** One input under six drawn cells, so that paste and one-time-code autofill work. Blanks are dropped from '12 34 56'. */
export const CodeInput = ({ ref, onChange, error, purpose, ...input }: CodeInputProps) => {
  const [digits, setDigits] = useState('');
  const place = useRef<HTMLDivElement>(null);
  // The page is still scrolled to the end of the form that this step replaces. The form keeps what was typed before another step.
  useLayoutEffect(() => {
    scrollTo({ top: 0, behavior: 'instant' });
    const typed = place.current?.querySelector('input');
    setDigits(typed?.value ?? '');
    typed?.focus();
  }, []);
  return (
    <div ref={place} className="group relative">
      <div className="grid grid-cols-6 gap-2 sm:gap-3" aria-hidden="true">
        {Array.from({ length: CODE_LENGTH }, (_, at) => (
          <Cell key={at} digit={digits[at]} active={at === Math.min(digits.length, CODE_LENGTH - 1)} />
        ))}
      </div>
      <input
        {...input}
        ref={ref}
        aria-label="Six-digit code"
        aria-describedby={purpose}
        aria-invalid={error !== undefined || undefined}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        onChange={(event) => {
          const { target } = event;
          target.value = latinDigits(target.value).replaceAll(/\D/g, '').slice(0, CODE_LENGTH);
          setDigits(target.value);
          void onChange(event);
        }}
        className="absolute inset-0 size-full cursor-text opacity-0"
      />
    </div>
  );
};

const Cell = ({ digit, active }: { readonly digit: string | undefined; readonly active: boolean }) => (
  <span
    className={cx(
      'figures inline-flex aspect-[5/6] items-center justify-center rounded-xs border bg-white text-[1.75rem]',
      digit === undefined ? 'border-teak' : 'border-ink',
      active && 'group-focus-within:border-oxblood group-focus-within:shadow-[inset_0_0_0_1px_var(--color-oxblood)]',
    )}
  >
    {digit ?? (active && <span className="hidden h-8 w-px bg-ink group-focus-within:block" />)}
  </span>
);
