import { useEffect, useState } from 'react';

/** A search starts when the shopper has typed nothing for this many ms. */
export const SEARCH_AFTER_MS = 300;

export const useDebounced = <Value>(value: Value, ms = SEARCH_AFTER_MS): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
