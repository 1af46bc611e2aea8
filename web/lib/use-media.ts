import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds now; the component draws again when that changes. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
};

export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');
