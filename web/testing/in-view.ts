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

/** A fake `matchMedia` in which only these queries match: '(min-width: 48rem)'. */
export const mediaThatHold = (...queries: readonly string[]): void => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: queries.includes(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
};

export const DESKTOP = ['(min-width: 48rem)', '(min-width: 64rem)'] as const;
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
