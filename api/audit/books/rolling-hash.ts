import { logPosition, START, type LogPosition, type StreamHead } from '#domain/event-store.ts';

import { rolledHash, type ChainFault } from '../../event-store/chain.ts';
import type { LogSeal, SealedStoredEvent } from '../../event-store/stored-event.ts';
import { THE_LOG, type SavedHead } from '../saved-heads.ts';

export type Finding = {
  readonly stream: string;
  readonly revision: number;
  /** The position is a decimal text for faults of the log as a whole; stream and revision are then those of the event at this position. */
  readonly position?: string;
  readonly what: ChainFault | 'unlawful' | 'unreadable' | 'unknown_stream' | 'unsealed';
  readonly detail: string;
};

/** A missing event has no known stream. */
const ofLog = (position: bigint, what: Finding['what'], detail: string): Finding => {
  return { stream: THE_LOG, revision: -1, position: String(position), what, detail };
};
const missing = (position: bigint): Finding => ofLog(position, 'missing', 'there is no event at this position any more');

const at = ({ stream, revision, position }: SealedStoredEvent, what: Finding['what'], detail: string): Finding => ({
  stream,
  revision,
  position: String(position),
  what,
  detail,
});

/**
 * Recomputes the rolling hash: positions must have no gaps, and each stored hash must match. After a fault it continues from the stored
 * hash, so that each fault is reported once. Skips events without rolling hashes (EventStoreDB, its exports, older exports).
 */
export class RollingHash {
  readonly #head: LogSeal | undefined;
  readonly #saved = new Map<LogPosition, string>();
  #rolled = '';
  #position = logPosition(0n);

  /** The store reports `head` before the first page is read. */
  constructor(head?: LogSeal) {
    this.#head = head;
  }

  expect({ revision, hash }: StreamHead): void {
    this.#saved.set(logPosition(BigInt(revision)), hash);
  }

  /** Yields faults at the next event, or since the previous one. */
  *faultsAt(event: SealedStoredEvent): Generator<Finding> {
    const { position, rollingHash } = event;
    if (rollingHash === undefined) return;
    const hasGap = position !== this.#position + 1n;
    if (hasGap) yield missing(this.#position + 1n);
    const recomputed = rolledHash(this.#rolled, event);
    if (rollingHash === '') yield at(event, 'unsealed', 'this event was not written by the shop: it has no rolling hash');
    // After a gap the previous hash is unknown.
    else if (!hasGap && rollingHash !== recomputed)
      yield at(event, 'out_of_place', 'the log was changed from here on: its rolling hash does not match');
    else if (position === this.#head?.position && rollingHash !== this.#head.rollingHash)
      yield at(event, 'altered', 'the head of the log has another rolling hash');
    else if ((this.#saved.get(position) ?? rollingHash) !== rollingHash)
      yield at(event, 'altered', 'the log had another rolling hash here when its heads were saved');
    this.#rolled = rollingHash === '' ? recomputed : rollingHash;
    this.#position = position;
  }

  /** Returns undefined without rolling hashes. */
  end(): SavedHead | undefined {
    return this.#rolled === '' ? undefined : { stream: THE_LOG, revision: Number(this.#position), hash: this.#rolled };
  }

  *conclude(): Generator<Finding> {
    const [witness] = this.#saved.keys();
    if (this.#rolled === '' && !this.#head && witness !== undefined)
      return yield ofLog(witness, 'unsealed', 'the log had a rolling hash here when its heads were saved, and has none now');
    const known = [this.#head?.position ?? START, ...this.#saved.keys()];
    if (known.some((position) => position > this.#position)) yield missing(this.#position + 1n);
  }
}
