import { START, type LogPosition } from '#domain/event-store.ts';
import type { AnyRow } from '#projections/storage.ts';

import type { Session } from '../accounts/sessions.ts';
import type { KeptAnswer } from '../http/kept-answers.ts';
import { memoryReactions, type MemoryReactions } from '../reactions/memory-storage.ts';

/** A place in the log: whoever moves it must know where it stood. */
export type Place = { readonly position: LogPosition; readonly eventId: string };

export const BEGINNING: Place = { position: START, eventId: '' };

export type Kept = {
  readonly session: string;
  readonly request: string;
  readonly command: string;
  readonly claim: string;
  readonly claimedUntil: number;
  readonly expiresAt: number;
  readonly answer: KeptAnswer | null;
};

/** A read model: its rows by table and key, and up to where they tell of the log. */
export type Model = { readonly place: Place; readonly rows: ReadonlyMap<string, ReadonlyMap<string, AnyRow>> };

/** What the shop keeps in Postgres beside the log, as far as the simulation needs it. Outlasts every process. */
export class Tables {
  readonly models = new Map<string, Model>();
  readonly reactions: MemoryReactions;
  readonly sessions = new Map<string, Session>();
  readonly visitors = new Map<string, { readonly user: string; readonly isClaimed: boolean }>();
  readonly numbers = new Set<string>();
  readonly answers = new Map<string, Kept>();

  constructor(now: () => number) {
    this.reactions = memoryReactions(now);
  }

  model = (name: string): Model => this.models.get(name) ?? { place: BEGINNING, rows: new Map() };
}

export const isSame = (one: Place, other: Place): boolean => one.position === other.position && one.eventId === other.eventId;
