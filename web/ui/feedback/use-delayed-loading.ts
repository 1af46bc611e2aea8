import { useLayoutEffect, useRef, useState } from 'react';

const SHOW_AFTER = 150;
const KEEP_FOR = 300;

/** Returns when to show a skeleton: only after 150 ms, and then for at least 300 ms, so that it does not flicker. */
export const useDelayedLoading = (loading: boolean): boolean => {
  const [shown, setShown] = useState(false);
  const shownAt = useRef(0);

  // With a plain effect, a timer that fires before it could hide the skeleton that has just been shown.
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
