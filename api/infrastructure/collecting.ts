import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How far the heap of what lives may grow before it is collected, in percent. */
const GROWTH = 20;
/** The same for a process that does nothing but fold a long log, half of whose time would go into collecting. */
const GROWTH_OF_A_REBUILD = 120;

/**
 * Has the engine collect what has died before it is a multiple of what lives: for processes that run for long, or go through a long log.
 * Unlike a largest size of the heap it is no end that a large shop could come to. An engine that does not know it says so and goes on.
 */
export const collectEarly = (growth = GROWTH): void => setFlagsFromString(`--heap-growing-percent=${growth}`);

/**
 * The same for a process that goes through a long log with threads that are busy anyway: what dies young is collected by the thread that
 * made it. Helpers beside it would only wait for each other.
 */
export const collectForARebuild = (): void => {
  collectEarly(GROWTH_OF_A_REBUILD);
  setFlagsFromString('--no-parallel-scavenge');
};

/**
 * Has the engine collect all that has died, at once: when much has, and little will for long, so that it would be kept for long. Takes about
 * a millisecond for each megabyte that lives.
 */
export const collectNow = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
};

/**
 * Has the engine make every object among the young. Of a kind that has lived for long, as most do while a shop reads its read models, it would
 * make all among the old from then on: then what requests leave behind stays until the whole heap is collected, and in a large shop that is
 * done three times as often.
 */
export const beginYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
