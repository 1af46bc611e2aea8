import type { Logger } from 'pino';

import type { EventStore } from '#domain/event-store.ts';

import type { User } from '../accounts/user.ts';
import type { Bell } from '../event-store/bell.ts';
import type { StoredLog } from '../event-store/stored-event.ts';
import type { SubjectKeys } from '../event-store/subject-keys.ts';
import type { OrderIds } from '../orders/order-ids.ts';
import type { Scheduler } from './scheduler.ts';
import type { Tables } from './tables.ts';
import type { Odds } from './wire.ts';

/** Rules of the shop that a test breaks on purpose, to see it found. */
export type Rules = {
  /** The order that a version of a cart is. */
  readonly idOf: (derived: OrderIds) => OrderIds;
  /** Rows and checkpoint of a read model are written in one transaction. */
  readonly isOneTransaction: boolean;
  /** Whoever works on a request once more is told that it was worked on before. */
  readonly knowsRepeats: boolean;
};

export const THE_RULES: Rules = { idOf: (derived) => derived, isOneTransaction: true, knowsRepeats: true };

/** What there is but one of, however many processes come and go. */
export type World = {
  readonly scheduler: Scheduler;
  readonly store: EventStore & StoredLog;
  readonly keys: SubjectKeys;
  /** Rings when something was appended. */
  readonly bell: Bell;
  readonly tables: Tables;
  readonly users: ReadonlyMap<string, User>;
  readonly rules: Rules;
  readonly log: Logger;
  /** Twelve hex digits that nobody had before. */
  readonly newId: () => string;
  /** Requests that failed though nothing was away: mistakes. */
  readonly failures: string[];
  odds: Odds;
};
