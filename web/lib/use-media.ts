import { useCallback, useSyncExternalStore } from 'react';

const unknown = (): false => false;

/**
 * Whether a media query holds now; the component draws again when that changes. Where the page is drawn without a window none holds: it
 * is drawn for a phone.
 */
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
