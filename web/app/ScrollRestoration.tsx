import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';
import { readSession, writeSession } from '../lib/session-storage.ts';

/** Scroll positions of this tab's history entries, in px from the top, by entry key. */
type ScrollPositions = {
  readonly get: (entry: string) => number | undefined;
  readonly set: (entry: string, place: number) => void;
  /** Writes the positions to sessionStorage, so that they survive a reload and a visit to another site. */
  readonly save: () => void;
};

const NAME = 'scroll-places';
const MAX_ENTRIES = 100;

/** Returns an empty list where storage is blocked: every page then starts at the top after a reload. */
const readSaved = (): [string, number][] => {
  const entries = readSession(NAME);
  return Array.isArray(entries) ? entries.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'number') : [];
};

export const createScrollPositions = (): ScrollPositions => {
  const places = new Map(readSaved());
  return {
    get: (entry) => places.get(entry),
    set: (entry, place) => {
      places.delete(entry);
      places.set(entry, place);
    },
    save: () => writeSession(NAME, [...places].slice(-MAX_ENTRIES)),
  };
};

/** The positions are read lazily, because there is no sessionStorage when rendering on the server. */
let kept: ReturnType<typeof createScrollPositions> | undefined;
const placesOfWindow = () => (kept ??= createScrollPositions());

/** The key alone is not unique: links within a page have none, and the first page of every visit has the same one. */
const formatEntry = ({ key, pathname, search, hash }: Location): string => `${key} ${pathname}${search}${hash}`;

/** Returns false for a reload and for Back. On a new visit, the scroll position from before the script loaded is kept. */
const isNewVisit = (): boolean => {
  const [visit] = performance.getEntriesByType('navigation');
  return visit !== undefined && 'type' in visit && visit.type === 'navigate';
};

const asksToStay = (state: unknown): boolean => typeof state === 'object' && state !== null && 'stay' in state && state.stay === true;

const goTo = (place: number): void => scrollTo({ top: place, behavior: 'instant' });

/** The shopper takes over scrolling by these events. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls to a position as soon as the page is tall enough for it. The shopper's own scrolling cancels it. */
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

/** The hash comes from outside and may not be valid percent-encoding. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Starts a new page at the top, or at the element that the hash names. */
const begin = ({ hash }: Location): void => {
  const part = hash === '' ? null : document.getElementById(decoded(hash.slice(1)));
  if (part) part.scrollIntoView();
  else goTo(0);
};

/**
 * Back restores the scroll position, also after a reload. Every other navigation scrolls to the top, except a change of the query on the
 * same page: an entry that replaces another, or whose state says `stay`, keeps the position.
 */
export const ScrollRestoration = () => {
  const location = useLocation();
  const kind = useNavigationType();
  const entry = formatEntry(location);
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
