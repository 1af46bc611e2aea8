import { useEffect, useState } from 'react';

/** The value, after it has not changed for `ms`; the default is that of a search. */
export const useDebounced = <Value>(value: Value, ms = 300): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
