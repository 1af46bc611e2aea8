import { logPosition, START, type LogPosition, type StreamHead } from '#domain/event-store.ts';

import { rolledHash, type ChainFault } from '../../event-store/chain.ts';
import type { LogSeal, SealedStoredEvent } from '../../event-store/stored-event.ts';
import { THE_LOG, type SavedHead } from '../saved-heads.ts';

/** One thing that is not as it should be, and where. */
export type Finding = {
  readonly stream: string;
  readonly revision: number;
  /** Of a fault of the log as a whole, whose stream and revision are those of the event that stands there: a decimal number. */
  readonly position?: string;
  readonly what: ChainFault | 'unlawful' | 'unreadable' | 'unknown_stream' | 'unsealed';
  readonly detail: string;
};

/** There is no stream to name where an event is gone. */
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
 * Recomputes the rolling hash over the log, event after event: positions must have no gaps, and the hash that stands beside each event
 * must be what the log comes to. It goes on after a fault from what stands there, so that each fault is named once, where it is. Events of
 * a log that keeps no rolling hashes (EventStoreDB, an export of it, an older export) are passed by.
 */
export class RollingHash {
  readonly #head: LogSeal | undefined;
  readonly #saved = new Map<LogPosition, string>();
  #rolled = '';
  #position = logPosition(0n);

  /** `head`: where the log ends by its own account, asked before its first page. */
  constructor(head?: LogSeal) {
    this.#head = head;
  }

  /** Where the log stood when its heads were saved earlier. */
  expect({ revision, hash }: StreamHead): void {
    this.#saved.set(logPosition(BigInt(revision)), hash);
  }

  /** What is wrong at this event, the next of the log, or between it and the one before. */
  *faultsAt(event: SealedStoredEvent): Generator<Finding> {
    const { position, rollingHash } = event;
    if (rollingHash === undefined) return;
    const hasGap = position !== this.#position + 1n;
    if (hasGap) yield missing(this.#position + 1n);
    const recomputed = rolledHash(this.#rolled, event);
    if (rollingHash === '') yield at(event, 'unsealed', 'this event was written past the shop: it has no rolling hash');
    // After a gap nobody knows what the hash was before this event.
    else if (!hasGap && rollingHash !== recomputed)
      yield at(event, 'out_of_place', 'the log is not what it was from here on: its rolling hash does not fit');
    else if (position === this.#head?.position && rollingHash !== this.#head.rollingHash)
      yield at(event, 'altered', 'the head of the log has another rolling hash');
    else if ((this.#saved.get(position) ?? rollingHash) !== rollingHash)
      yield at(event, 'altered', 'the log had another rolling hash here when its heads were saved');
    this.#rolled = rollingHash === '' ? recomputed : rollingHash;
    this.#position = position;
  }

  /** Where the log ended of which the last event was. Nothing of a log without rolling hashes. */
  end(): SavedHead | undefined {
    return this.#rolled === '' ? undefined : { stream: THE_LOG, revision: Number(this.#position), hash: this.#rolled };
  }

  /** What is wrong at the end of the log. */
  *conclude(): Generator<Finding> {
    const [witness] = this.#saved.keys();
    if (this.#rolled === '' && !this.#head && witness !== undefined)
      return yield ofLog(witness, 'unsealed', 'the log had a rolling hash here when its heads were saved, and has none now');
    const known = [this.#head?.position ?? START, ...this.#saved.keys()];
    if (known.some((position) => position > this.#position)) yield missing(this.#position + 1n);
  }
}
