import { type RefObject, useEffect, useRef } from 'react';

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

/** Returns a ref whose element takes the focus when the element that had it, `within` a part of the page, was removed by whatever change. */
export const useFocusWhenLost = <Of extends HTMLElement>(within?: RefObject<HTMLElement | null>) => {
  const place = useRef<Of>(null);
  const last = useRef<EventTarget>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      if (target === document.body) return;
      last.current = within && !within.current?.contains(target as Node) ? null : target;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [within]);
  // The change may be of another component, so each render looks.
  useEffect(() => {
    if (document.activeElement !== document.body || !(last.current instanceof Element) || last.current.isConnected) return;
    last.current = null;
    // A list that knows a better place moves the focus there in the same commit.
    queueMicrotask(() => {
      if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
    });
  });
  return place;
};
