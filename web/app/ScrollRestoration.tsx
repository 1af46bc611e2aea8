import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';

/** Where the shopper left each entry of the history of this tab, in px from its top; by the entry's key. */
type ScrollPositions = {
  readonly get: (entry: string) => number | undefined;
  readonly set: (entry: string, place: number) => void;
  /** Keeps them over a reload, and over a visit elsewhere. */
  readonly save: () => void;
};

const NAME = 'scroll-places';
/** More than anybody goes back. */
const MAX_ENTRIES = 100;

const readSaved = (storage: Storage): [string, number][] => {
  try {
    const entries: unknown = JSON.parse(storage.getItem(NAME) ?? '[]');
    return Array.isArray(entries) ? entries.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'number') : [];
  } catch {
    // Somebody else wrote there, or the browser lets nobody read: every page begins at its top.
    return [];
  }
};

export const createScrollPositions = (storage: Storage): ScrollPositions => {
  const places = new Map(readSaved(storage));
  return {
    get: (entry) => places.get(entry),
    set: (entry, place) => {
      places.delete(entry);
      places.set(entry, place);
    },
    save: () => {
      try {
        storage.setItem(NAME, JSON.stringify([...places].slice(-MAX_ENTRIES)));
      } catch {
        // Full, or forbidden: Back still finds its place as long as the page is not left.
      }
    },
  };
};

/** Made when the first page stands in a window; where pages are drawn without one there is nothing to keep places in. */
let kept: ReturnType<typeof createScrollPositions> | undefined;
const placesOfWindow = () => (kept ??= createScrollPositions(sessionStorage));

/** A link within a page has no key of its own, and the first page of every visit has the same. */
const entryOf = ({ key, pathname, search, hash }: Location): string => `${key} ${pathname}${search}${hash}`;

/** Neither a reload nor Back: whoever has scrolled before the page's script came is left where they are. */
const isNewVisit = (): boolean => {
  const [visit] = performance.getEntriesByType('navigation');
  return visit !== undefined && 'type' in visit && visit.type === 'navigate';
};

const asksToStay = (state: unknown): boolean => typeof state === 'object' && state !== null && 'stay' in state && state.stay === true;

const goTo = (place: number): void => scrollTo({ top: place, behavior: 'instant' });

/** What the shopper does to take the page in hand. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Goes to a place that the page may not reach down to yet, as soon as it does; the shopper's own scrolling ends it. */
const seek = (place: number): (() => void) => {
  const ending = new AbortController();
  const observer = new ResizeObserver(() => {
    goTo(place);
    if (scrollY >= place - 1) ending.abort();
  });
  ending.signal.addEventListener('abort', () => observer.disconnect());
  for (const hand of HANDS) addEventListener(hand, () => ending.abort(), { signal: ending.signal, passive: true });
  goTo(place);
  observer.observe(document.body);
  return () => ending.abort();
};

/** Anybody may write an address, with a hash that is no encoded text. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A new page begins at its top, or at the part that the address names. */
const begin = ({ hash }: Location): void => {
  const part = hash === '' ? null : document.getElementById(decoded(hash.slice(1)));
  if (part) part.scrollIntoView();
  else goTo(0);
};

/**
 * Back finds the page where it was left, also after a reload; every other way leads to the top of a page, but for a new question to the
 * same one: an entry that takes the place of another, or whose state says `stay`, leaves the window where it is.
 */
export const ScrollRestoration = () => {
  const location = useLocation();
  const kind = useNavigationType();
  const entry = entryOf(location);
  const shown = useRef<{ readonly entry: string; readonly path: string }>(undefined);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const places = placesOfWindow();
    history.scrollRestoration = 'manual';
    addEventListener('scroll', () => shown.current && places.set(shown.current.entry, scrollY), { signal, passive: true });
    addEventListener('pagehide', places.save, { signal });
    return () => listening.abort();
  }, []);

  useLayoutEffect(() => {
    const before = shown.current;
    if (before?.entry === entry) return undefined;
    shown.current = { entry, path: location.pathname };
    const places = placesOfWindow();
    const left = kind === 'POP' && (before || !isNewVisit()) ? places.get(entry) : undefined;
    if (left !== undefined) return seek(left);
    const stays = kind === 'REPLACE' ? before?.path === location.pathname : kind === 'PUSH' && asksToStay(location.state);
    if (stays) places.set(entry, scrollY);
    else if (before || location.hash !== '') begin(location);
    return undefined;
  }, [entry, kind, location]);

  return null;
};
