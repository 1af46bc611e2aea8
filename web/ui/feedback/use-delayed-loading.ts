import { useLayoutEffect, useRef, useState } from 'react';

const SHOW_AFTER = 150;
const KEEP_FOR = 300;

/** When to show a skeleton: not for the first 150 ms, and then for at least 300 ms, so that it does not flicker. */
export const useDelayedLoading = (loading: boolean): boolean => {
  const [shown, setShown] = useState(false);
  const shownAt = useRef(0);

  // In a layout effect: with a plain effect, a timer that fires in between could hide the skeleton it has just shown.
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
