import { useEffect, useRef } from 'react';

/** The element takes the focus of a control that has gone: when `isGone` turns true and nothing has the focus. */
export const useFocusWhenGone = <Of extends HTMLElement>(isGone: boolean) => {
  const place = useRef<Of>(null);
  const wasGone = useRef(isGone);
  useEffect(() => {
    if (isGone && !wasGone.current && document.activeElement === document.body) place.current?.focus();
    wasGone.current = isGone;
  }, [isGone]);
  return place;
};
