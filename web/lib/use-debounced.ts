import { useEffect, useState } from 'react';

/** How long typing rests before it is searched for. */
export const SEARCH_AFTER_MS = 300;

/** The value, after it has not changed for `ms`. */
export const useDebounced = <Value>(value: Value, ms = SEARCH_AFTER_MS): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
