import { Check, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { cx } from '../cx.ts';
import { useMountedRegion } from '../feedback/Status.tsx';

const CLOSES_AFTER_MS = 3000;

type ToastProps = {
  readonly kind: 'success' | 'failure';
  /** A toast closes after three seconds by default; with `stays`, only when the user closes it. */
  readonly stays?: boolean;
  readonly message: string;
  readonly detail?: string;
  readonly action?: ReactNode;
  readonly onClose: () => void;
};

/** Messages that begin with a mark need no icon. */
const MARK = /^[✅❌]/u;

/** A message in the middle of the screen. Hover and focus pause its timer; Escape closes it wherever the focus is. */
export const Toast = ({ kind, stays = false, message, detail, action, onClose }: ToastProps) => {
  const [held, setHeld] = useState(false);
  const { takeFocus, close } = useReturningFocus(onClose);
  const { isMounted, ref } = useMountedRegion();
  const failed = kind === 'failure';
  const isAlert = failed && stays;
  const speaks = isMounted || isAlert;

  useEffect(() => {
    if (stays || held) return undefined;
    const timer = setTimeout(onClose, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [stays, held, onClose]);

  return (
    <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center p-6">
      <div
        ref={ref}
        role={isAlert ? 'alert' : 'status'}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={(event) => {
          takeFocus(event);
          setHeld(true);
        }}
        onBlur={() => setHeld(false)}
        className="pointer-events-auto relative max-h-full w-full max-w-sm animate-pop overflow-x-hidden overflow-y-auto rounded-sm border border-sandal bg-white px-8 pt-8 pb-9 text-center shadow-modal"
      >
        {!MARK.test(message) && (
          <span
            className={cx(
              'mx-auto inline-flex size-12 items-center justify-center rounded-full',
              failed ? 'bg-sindoor-wash text-sindoor' : 'bg-khus-wash text-khus-deep',
            )}
          >
            {failed ? <X className="size-6" strokeWidth={1.8} /> : <Check className="size-6" strokeWidth={1.8} />}
          </span>
        )}
        <p className="display mt-5 text-h3">{speaks && message}</p>
        {detail && <p className="mt-2 text-clove">{speaks && detail}</p>}
        {action}
        <button
          type="button"
          aria-label="Close"
          onClick={close}
          className="absolute top-1.5 right-1.5 inline-flex size-11 items-center justify-center text-clove hover:text-ink"
        >
          <X className="size-5" strokeWidth={1.5} />
        </button>
        {!stays && (
          <span
            aria-hidden="true"
            className={cx(
              'absolute bottom-0 left-0 h-[3px] w-full origin-left',
              failed ? 'bg-sindoor' : 'bg-khus',
              !held && 'animate-run-out',
            )}
          />
        )}
      </div>
    </div>
  );
};

/** Returns handlers that give the focus back, when the toast is closed, to the element that had it before. */
const useReturningFocus = (onClose: () => void) => {
  const from = useRef<Element>(null);
  const close = () => {
    if (from.current instanceof HTMLElement) from.current.focus();
    onClose();
  };
  const closeByKey = useEffectEvent(({ key }: KeyboardEvent) => key === 'Escape' && close());
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => void closeByKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  const takeFocus = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) from.current = relatedTarget;
  };
  return { takeFocus, close };
};
