import { useLayoutEffect, useRef, useState } from 'react';

const SHOW_AFTER = 150;
const KEEP_FOR = 300;

/** When to show that something loads: not for a blink, and once shown not for a blink either. */
export const useDelayedLoading = (loading: boolean): boolean => {
  const [shown, setShown] = useState(false);
  const shownAt = useRef(0);

  // With the drawing and not after it: a timer that fires in between would hide what has just come.
  useLayoutEffect(() => {
    if (loading === shown) return undefined;
    const wait = loading ? SHOW_AFTER : Math.max(0, shownAt.current + KEEP_FOR - performance.now());
    const timer = setTimeout(() => {
      shownAt.current = performance.now();
      setShown(loading);
    }, wait);
    return () => clearTimeout(timer);
  }, [loading, shown]);

  return shown;
};
