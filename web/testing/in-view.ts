import { vi } from 'vitest';

/** Installs a fake IntersectionObserver, since happy-dom has no layout: every element is in view, or none is. */
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

const watching = new Set<(inView: boolean) => void>();

/** Installs a fake IntersectionObserver that the two functions below control. */
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

/** Scrolls to within 400 px of the end of a list, or scrolls another observed element into view. */
export const scrollNearTheEnd = (): void => {
  for (const see of watching) see(true);
};

export const scrollPast = (): void => {
  for (const see of watching) see(false);
};

/** Installs a fake `matchMedia` in which only these queries match, such as '(min-width: 48rem)'. */
export const mediaThatHold = (...queries: readonly string[]): void => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: queries.includes(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
};

export const DESKTOP = ['(min-width: 48rem)', '(min-width: 64rem)', '(min-width: 75rem)'] as const;
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
