import { useRef } from 'react';

/** For a dialog that is opened without a trigger of its own: remembers the focused element on opening and restores the focus on closing. */
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
