/** Where the shopper left each entry of the history of this tab, in px from its top; by the entry's key. */
export type ScrollPlaces = {
  readonly get: (entry: string) => number | undefined;
  readonly set: (entry: string, place: number) => void;
  /** Keeps them over a reload, and over a visit elsewhere. */
  readonly keep: () => void;
};

const NAME = 'scroll-places';
/** More than anybody goes back. */
const MOST = 100;

const kept = (storage: Storage): [string, number][] => {
  try {
    const entries: unknown = JSON.parse(storage.getItem(NAME) ?? '[]');
    return Array.isArray(entries) ? entries.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'number') : [];
  } catch {
    // Somebody else wrote there, or the browser lets nobody read: every page begins at its top.
    return [];
  }
};

export const scrollPlaces = (storage: Storage): ScrollPlaces => {
  const places = new Map(kept(storage));
  return {
    get: (entry) => places.get(entry),
    set: (entry, place) => {
      places.delete(entry);
      places.set(entry, place);
    },
    keep: () => {
      try {
        storage.setItem(NAME, JSON.stringify([...places].slice(-MOST)));
      } catch {
        // Full, or forbidden: Back still finds its place as long as the page is not left.
      }
    },
  };
};
