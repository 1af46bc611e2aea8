import type { LogPosition } from '#domain/event-store.ts';

export const countText = (count: number): string => Math.round(count).toLocaleString('en-US');

/** Prints at most once a second. */
export const progressPrinter = (what: string, out: (line: string) => void): ((events: number, upTo?: LogPosition) => void) => {
  const begun = performance.now();
  let printedAt = begun;
  return (events, upTo) => {
    const now = performance.now();
    if (now - printedAt < 1_000) return;
    printedAt = now;
    const where = upTo === undefined ? '' : `, up to position ${upTo}`;
    out(`${what}${countText(events)} events${where}, ${countText((1_000 * events) / (now - begun))} a second`);
  };
};
