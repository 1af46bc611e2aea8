import type { Category, Recorded } from '#domain/event-store.ts';
import { identityOf } from '#projections/rewound.ts';

import type { Parts } from './api-process.ts';
import type { Life } from './scheduler.ts';
import type { Place } from './tables.ts';
import type { World } from './world.ts';

/** A follower asks that often whether there is news, in ms, lets news gather for so long at most, and asks for so many events at once. */
const LOOKS_EVERY = 1_000;
const GATHERS_FOR = 200;
export const PAGE = 20;
/** Whoever lost a race or a connection waits so long, in ms. */
const PAUSE = 50;

/** Where somebody stands who has done these. */
export const placeOf = (events: readonly Recorded[], before: Place): Place => {
  const last = events.at(-1);
  return last ? { position: last.position, eventId: identityOf(last) } : before;
};

/** What a process has to follow the log with. */
export type Following = { readonly world: World; readonly life: Life; readonly parts: Parts; readonly page: Parts['store']['page'] };

type Follower = { readonly name: string; readonly categories: readonly Category[] };

/** Waits until something was appended since the bell was heard so often; now and then a little longer, so that events gather. */
export const restUntilNews = (
  { world: { scheduler, bell }, life }: Following,
  { name, categories }: Follower,
  heard: number,
): Promise<void> => {
  const notBefore = scheduler.milliseconds() + scheduler.chance.upTo(GATHERS_FOR);
  const isTime = (): boolean => scheduler.milliseconds() >= notBefore && bell.heard(categories) > heard;
  return scheduler.until(life, `${name} waits for news`, isTime, LOOKS_EVERY);
};

/** Does the work of a read model again and again, until the process ends: whoever loses a race or a connection reads anew. */
export const again = async ({ world, life }: Following, who: string, turn: () => Promise<void>): Promise<void> => {
  for (;;) {
    await turn().catch(() => undefined);
    await world.scheduler.turn(life, `${who} begins anew`, PAUSE);
  }
};
