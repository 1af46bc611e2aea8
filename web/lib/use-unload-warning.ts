import { useEffect } from 'react';

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Lets the browser ask before the page is left, as long as something would be lost. */
export const useUnloadWarning = (isTyped: boolean): void => {
  useEffect(() => {
    if (!isTyped) return undefined;
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isTyped]);
};
