import { rolledHash, type ChainFault } from '../event-store/chain.ts';
import type { LogSeal, SealedStoredEvent } from '../event-store/stored-event.ts';

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
const THE_LOG = 'log';

const missing = (position: bigint): Finding => ({
  stream: THE_LOG,
  revision: -1,
  position: String(position),
  what: 'missing',
  detail: 'there is no event at this position any more',
});

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
  #rolled = '';
  #position = 0n;

  /** `head`: where the log ends by its own account, asked before its first page. */
  constructor(head?: LogSeal) {
    this.#head = head;
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
    this.#rolled = rollingHash === '' ? recomputed : rollingHash;
    this.#position = position;
  }

  /** What is wrong at the end of the log. */
  *conclude(): Generator<Finding> {
    if (this.#head && this.#head.position > this.#position) yield missing(this.#position + 1n);
  }
}
