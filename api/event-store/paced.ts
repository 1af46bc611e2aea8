/**
 * So far apart something is told, in ms, so that one telling says what many would. In a rush further and further apart, and not so far when
 * somebody waits for what follows from it.
 */
const APART = { usual: 10, inRush: 100, waitedFor: 25 } as const;
export type Apart = { readonly [When in keyof typeof APART]: number };

export type Paced = {
  /** There is something to tell, or so many things: at once in a quiet hour. */
  ring(times?: number): void;
  /** There is still something to tell. */
  ringAgain(): void;
  /** Somebody waits for what follows from the rings so far. */
  hurry(): void;
  stop(): void;
};

/** What is a rush: more than one shopper brings about, however quick. */
const RUSH = { least: 3, perMillisecond: 0.2 };

/** Calls `tell` soon after a ring, and once for many of them. */
export const paced = (tell: () => void, apart: Apart = APART): Paced => {
  let rung = 0;
  let timer: NodeJS.Timeout | undefined;
  let told = Number.NEGATIVE_INFINITY;
  let gap: number = apart.usual;

  const tellNow = (): void => {
    timer = undefined;
    const now = performance.now();
    gap = rung >= Math.max(RUSH.least, RUSH.perMillisecond * (now - told)) ? Math.min(2 * gap, apart.inRush) : apart.usual;
    told = now;
    rung = 0;
    tell();
  };
  const tellAfter = (milliseconds: number): void => {
    clearTimeout(timer);
    const wait = told + milliseconds - performance.now();
    if (wait <= 0) tellNow();
    else timer = setTimeout(tellNow, wait);
  };
  const ringAgain = (): void => {
    if (!timer) tellAfter(gap);
  };

  return {
    ring: (times = 1) => {
      rung += times;
      ringAgain();
    },
    ringAgain,
    hurry: () => {
      if (timer && gap > apart.waitedFor) tellAfter(apart.waitedFor);
    },
    stop: () => clearTimeout(timer),
  };
};
