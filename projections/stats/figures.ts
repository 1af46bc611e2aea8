import type { Instant } from '#domain/shared/instant.ts';

import type { Progress } from '../progress.ts';
import { stats } from './projector.ts';
import type { FiguresUntil, SalesFigures, Stats } from './queries.ts';

export type Figures = { at(now: Instant): Promise<SalesFigures>; close(): void };

type Known = FiguresUntil & { readonly from: Instant };

const holdsAt = ({ from, until }: Known, now: Instant): boolean => from <= now && (until === null || now <= until);

/** The figures in memory: asked for anew when the read model moves, and when an order falls out of a rolling time. Always exact. */
export const rememberedFigures = ({ at }: Pick<Stats, 'at'>, progress: Pick<Progress, 'onAdvance'>): Figures => {
  let known: Known | undefined;
  let moves = 0;
  const stop = progress.onAdvance(stats.name, () => {
    known = undefined;
    moves += 1;
  });
  return {
    at: async (now) => {
      if (known && holdsAt(known, now)) return known.figures;
      const before = moves;
      const found = await at(now);
      // What was read while the tables moved may already be the past.
      if (before === moves) known = { ...found, from: now };
      return found.figures;
    },
    close: stop,
  };
};
