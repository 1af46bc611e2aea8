import { setFlagsFromString } from 'node:v8';

/** How far the heap of what lives may grow before it is collected, in percent. */
const GROWTH = 30;
/** The same for a process that does nothing but fold a long log, half of whose time would go into collecting. */
export const GROWTH_OF_A_REBUILD = 100;

/**
 * Has the engine collect what has died before it is a multiple of what lives: for processes that run for long, or go through a long log.
 * Unlike a largest size of the heap it is no end that a large shop could come to. An engine that does not know it says so and goes on.
 */
export const collectEarly = (growth = GROWTH): void => setFlagsFromString(`--heap-growing-percent=${growth}`);
