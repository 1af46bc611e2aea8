import { vi } from 'vitest';

/** A fake IntersectionObserver, since happy-dom has no layout: everything is in view, or nothing. */
export const everythingIsInView = (inView = true): void => {
  class Observer {
    constructor(private readonly onChange: (entries: readonly { isIntersecting: boolean }[]) => void) {}
    observe(): void {
      this.onChange([{ isIntersecting: inView }]);
    }
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
};

/** Elements that wait to come into view. */
const watching = new Set<(inView: boolean) => void>();

/** Likewise; here the test scrolls, with the functions below. */
export const scrollByHand = (): void => {
  watching.clear();
  class Observer {
    readonly #see: (inView: boolean) => void;
    constructor(onChange: (entries: readonly { isIntersecting: boolean }[]) => void) {
      this.#see = (isIntersecting) => onChange([{ isIntersecting }]);
    }
    observe = (): void => void watching.add(this.#see);
    disconnect = (): void => void watching.delete(this.#see);
  }
  vi.stubGlobal('IntersectionObserver', Observer);
};

/** Scrolls to within 400 px of the end of a list, or another observed element into view. */
export const scrollNearTheEnd = (): void => {
  for (const see of watching) see(true);
};

/** Scrolls the observed element out of view. */
export const scrollPast = (): void => {
  for (const see of watching) see(false);
};

/** A fake `matchMedia` in which only these queries match: '(min-width: 48rem)'. */
export const mediaThatHold = (...queries: readonly string[]): void => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: queries.includes(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
};

export const DESKTOP = ['(min-width: 48rem)', '(min-width: 64rem)', '(min-width: 75rem)'] as const;
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
