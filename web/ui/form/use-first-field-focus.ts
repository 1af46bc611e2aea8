import { useEffect, useRef } from 'react';

/** Returns the ref of a form that a click has opened: its first field takes the focus, which was on the button that is gone. */
export const useFirstFieldFocus = () => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return form;
};
