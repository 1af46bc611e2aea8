import { vi } from 'vitest';

/** happy-dom draws nothing, so nothing is ever in view: here everything is, or nothing, as the test says. */
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

/** A window in which only these media queries hold: '(min-width: 48rem)'. */
export const mediaThatHold = (...queries: readonly string[]): void => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: queries.includes(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
};

export const DESKTOP = ['(min-width: 48rem)', '(min-width: 64rem)'] as const;
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';
