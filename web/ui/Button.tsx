import { LoaderCircle } from 'lucide-react';
import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { SafeLink } from './SafeLink.tsx';
import { type ButtonLook, buttonStyle } from './button-style.ts';

/**
 * Browsers drop the focus of a button when it is disabled. This hook gives it back afterwards, unless the focus has moved elsewhere
 * meanwhile.
 */
const useFocusAfterWork = (disabled: boolean) => {
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(false);
  useLayoutEffect(() => {
    if (disabled) {
      had.current = document.activeElement === button.current;
      return;
    }
    if (had.current && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    had.current = false;
  }, [disabled]);
  return button;
};

type ButtonProps = ButtonLook &
  ComponentProps<'button'> & {
    /** This label is shown while busy ('Saving...'). The button then shows a spinner, is disabled, and keeps its width. */
    readonly busy?: string | undefined;
  };

export const Button = ({ kind, size, className, busy, disabled, children, ...rest }: ButtonProps) => {
  const waiting = 'disabled:!bg-garnet disabled:!text-ivory';
  const isFilled = (kind ?? 'primary') === 'primary';
  const isDisabled = disabled === true || busy !== undefined;
  const kept = useFocusAfterWork(isDisabled);
  return (
    <button
      ref={kept}
      type="button"
      {...rest}
      disabled={isDisabled}
      aria-busy={busy !== undefined || undefined}
      className={buttonStyle({ kind, size, className: [busy !== undefined && isFilled && waiting, className].filter(Boolean).join(' ') })}
    >
      {busy === undefined ? (
        children
      ) : (
        <span className="grid justify-items-center">
          <span className="col-start-1 row-start-1 inline-flex items-center gap-2.5">
            <LoaderCircle className="size-[1.125rem] animate-spin" strokeWidth={2} />
            {busy}
          </span>
          <span aria-hidden="true" className="invisible col-start-1 row-start-1 inline-flex items-center gap-2.5">
            {children}
          </span>
        </span>
      )}
    </button>
  );
};

export const ButtonLink = ({ kind, size, className, ...rest }: ButtonLook & ComponentProps<typeof SafeLink>) => (
  <SafeLink {...rest} className={buttonStyle({ kind, size, className })} />
);
