import { type ComponentProps, type PointerEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { cx } from '../cx.ts';

type DialogProps = Pick<ComponentProps<'dialog'>, 'role' | 'aria-labelledby' | 'aria-describedby' | 'className' | 'children'> & {
  readonly open: boolean;
  /** Called for Escape and for the device's back gesture. */
  readonly onEscape: () => void;
  readonly onClickBeside?: () => void;
};

const STOPS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/** Moves the focus from the last control to the first and vice versa, where the browser would go on to its own buttons. */
const keepInside = (event: KeyboardEvent, dialog: HTMLElement): void => {
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)];
  const [end, start] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== end) return;
  event.preventDefault();
  start?.focus();
};

const HEADING = 'h1, h2, h3';

const listAncestors = (element: Element): Element[] =>
  element.parentElement ? [element.parentElement, ...listAncestors(element.parentElement)] : [];

/** Focuses the nearest heading that is left of the page around the opener, if what the dialog did has removed the opener. */
const focusAround = (ancestors: readonly Element[]): void => {
  if (document.activeElement !== document.body) return;
  const around = ancestors.find((each) => each.isConnected && each.querySelector(HEADING) !== null);
  const heading = around?.querySelector<HTMLElement>(HEADING);
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
};

/**
 * The browser's modal `<dialog>`: the page behind it is inert and gets the focus back when it closes. It is removed once the animation for
 * `data-state=closed` has run.
 */
export const Dialog = ({ open, onEscape, onClickBeside, className, children, ...labels }: DialogProps) => {
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  const dialog = useRef<HTMLDialogElement>(null);
  const show = useCallback((element: HTMLDialogElement) => {
    dialog.current = element;
    const opener = document.activeElement;
    const ancestors = opener === null ? [] : listAncestors(opener).filter((each) => each !== document.documentElement);
    element.showModal();
    return () => {
      element.close();
      // Closing the dialog may not have returned the focus.
      if (element.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus();
      // The opener is removed after this, if at all.
      setTimeout(focusAround, 0, ancestors);
    };
  }, []);

  useEffect(() => {
    if (open) return undefined;
    let isLeaving = true;
    const animations = dialog.current?.getAnimations().map(({ finished }) => finished) ?? [];
    void Promise.allSettled(animations).then(() => isLeaving && setShown(false));
    return () => {
      isLeaving = false;
    };
  }, [open]);

  // The listener is on the document because no element may have the focus. The browser's default would close even a busy dialog.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Tab' && dialog.current) keepInside(event, dialog.current);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onEscape();
  });
  useEffect(() => {
    if (!open) return undefined;
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [open]);

  if (!shown) return null;
  return createPortal(
    <dialog
      {...labels}
      ref={show}
      data-state={open ? 'open' : 'closed'}
      onCancel={(event) => {
        event.preventDefault();
        onEscape();
      }}
      onPointerDown={({ target, currentTarget }: PointerEvent) => target === currentTarget && onClickBeside?.()}
      className={cx(
        'text-ink shadow-modal backdrop:animate-fade backdrop:bg-umber/45 data-[state=closed]:backdrop:animate-fade-out',
        className,
      )}
    >
      {children}
    </dialog>,
    document.body,
  );
};
