import { useRef } from 'react';

/** A dialog that was not opened by a trigger of its own cannot know whom to give the focus back to: this remembers it. */
export const useOpener = () => {
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
};
