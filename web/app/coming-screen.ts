import { useSyncExternalStore } from 'react';
import { matchPath, useLocation } from 'react-router-dom';

/** A script that comes sooner is not worth a word. */
const SAID_AFTER_MS = 150;

/** The paths of each screen whose script is slow to load. */
const coming = new Set<readonly string[]>();
const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());

/** Marks the screen at these paths as loading until its script has loaded or failed. */
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
  // The router reports no change when Back returns to the page that is still shown.
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
};

/** Checks the address bar, because the router stays on the former page until the next one has loaded. */
const isComing = (): boolean => [...coming].flat().some((path) => matchPath(path, location.pathname) !== null);

/** Returns whether the page that the shopper opened last is slow to load. */
export const useScreenIsComing = (): boolean => {
  useLocation();
  return useSyncExternalStore(subscribe, isComing, () => false);
};
