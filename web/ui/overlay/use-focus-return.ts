import { useRef } from 'react';

/**
 * For the content of a dialog that is opened from outside: it has no trigger of its own, so it cannot know by itself who opened it. Gives
 * the focus back to whoever had it when it opened.
 */
export const useFocusReturn = () => {
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus: (): void => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
};
