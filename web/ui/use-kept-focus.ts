import { useLayoutEffect, useRef } from 'react';

/**
 * For a button that is disabled while it works. Browsers take the focus away from what is disabled: it is given back afterwards, unless
 * the shopper or the page has brought it elsewhere meanwhile.
 */
export const useKeptFocus = (disabled: boolean) => {
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
