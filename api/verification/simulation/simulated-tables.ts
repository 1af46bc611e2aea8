import { readModels } from '#projections/read-models.ts';
import { createTableSet } from '#projections/engine/table-set.ts';
import type { AnyRow } from '#projections/engine/read-model-storage.ts';
import { MemoryStorage, type StoredState } from '#projections/testing/memory-storage.ts';

import type { Session } from '../../accounts/sessions/session-store.ts';
import type { CachedAnswer } from '../../accounts/idempotency/answer-cache.ts';
import { memoryReactions, type MemoryReactions } from '../../reactions/memory-reaction-storage.ts';

export type Kept = {
  readonly session: string;
  readonly request: string;
  readonly command: string;
  readonly claim: string;
  readonly claimedUntil: number;
  readonly expiresAt: number;
  readonly answer: CachedAnswer | null;
};

const SLOTS = new Map(readModels.map((projector) => [projector.name, createTableSet(projector, 'live')]));

/** The tables beside the log. They outlast every process. */
export class SimulatedTables {
  readonly models: MemoryStorage;
  readonly reactions: MemoryReactions;
  readonly sessions = new Map<string, Session>();
  readonly visitors = new Map<string, { readonly user: string; readonly isClaimed: boolean }>();
  readonly numbers = new Set<string>();
  readonly answers = new Map<string, Kept>();

  constructor(now: () => number) {
    // The storage uses the clock only to read the time.
    this.models = new MemoryStorage({ now, sleep: () => Promise.reject(new Error('Storage does not wait')) });
    this.reactions = memoryReactions(now);
  }

  /** Returns undefined until a worker has begun the read model. */
  model(name: string): StoredState | undefined {
    const slot = SLOTS.get(name);
    return slot && this.models.stored(slot);
  }

  rows = (model: string, table: string): readonly AnyRow[] => [...(this.model(model)?.tables.get(table)?.values() ?? [])];
}
