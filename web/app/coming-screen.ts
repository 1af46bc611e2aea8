import { useSyncExternalStore } from 'react';
import { matchPath, useLocation } from 'react-router-dom';

/** In ms. A script that comes sooner is not worth a word. */
const SAID_AFTER_MS = 150;

/** The paths of each screen whose script is slow to come. */
const coming = new Set<readonly string[]>();
const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());

/** Notes that the screen at these paths is on its way, until it is loaded or has failed. */
export const trackLoading = async <Loaded>(paths: readonly string[], loading: Promise<Loaded>): Promise<Loaded> => {
  const timer = setTimeout(() => {
    coming.add(paths);
    notify();
  }, SAID_AFTER_MS);
  try {
    return await loading;
  } finally {
    clearTimeout(timer);
    if (coming.delete(paths)) notify();
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // Back to the page that is still in view changes nothing for the router.
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
};

/** By the address bar: the router is still at the former page, which stays in view. */
const isComing = (): boolean => [...coming].flat().some((path) => matchPath(path, location.pathname) !== null);

/** Whether the page that the shopper asked for last is slow to come. */
export const useScreenIsComing = (): boolean => {
  useLocation();
  return useSyncExternalStore(subscribe, isComing, () => false);
};
