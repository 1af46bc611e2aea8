import { useEffect, useRef } from 'react';

/** Returns a ref whose element takes the focus of a removed control: when `isGone` turns true and nothing has the focus. */
export const useFocusWhenGone = <Of extends HTMLElement>(isGone: boolean) => {
  const place = useRef<Of>(null);
  const wasGone = useRef(isGone);
  useEffect(() => {
    if (isGone && !wasGone.current && document.activeElement === document.body) place.current?.focus();
    wasGone.current = isGone;
  }, [isGone]);
  return place;
};
