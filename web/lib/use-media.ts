import { useCallback, useSyncExternalStore } from 'react';

const unknown = (): false => false;

/** Returns whether a media query matches. On the server none matches, so pages are rendered for a phone. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches, unknown);
};

export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');
