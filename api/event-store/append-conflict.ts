import {
  NO_STREAM,
  WrongHead,
  WrongRevision,
  type Appended,
  type CommandMetadata,
  type Revision,
  type StreamHead,
  type StreamName,
} from '#domain/event-store.ts';
import { computeHead, verifyChain, type ChainFault } from './chain.ts';
import { parseMetadata, type Sealed } from './codec/codec.ts';
import type { SealedEvent, StoredEvent } from './stored-event.ts';

/** No command appends more events, so this many events after the expected head are searched. */
const MOST_OF_A_COMMAND = 20;

/** The last event was altered, so nothing is appended that would link to it. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
  constructor(
    readonly stream: StreamName,
    readonly revision: Revision,
    readonly fault: ChainFault,
  ) {
    super(`The chain of ${stream} is broken at revision ${revision}: ${fault}`);
  }
}

const hashConflict = (stream: StreamName, lastTwo: readonly SealedEvent[]): WrongHead | ChainBroken => {
  const verdict = verifyChain(stream, lastTwo.slice(-1), [], computeHead(lastTwo.slice(0, -1)));
  if (verdict.chain === 'broken') return new ChainBroken(stream, verdict.brokenAt, verdict.fault);
  return new WrongHead(stream, lastTwo.at(-1)?.revision ?? NO_STREAM.revision);
};

type Attempt = {
  readonly stream: StreamName;
  readonly expected: StreamHead;
  readonly sealed: Sealed;
  readonly command: Pick<CommandMetadata, 'commandId'>;
};

/**
 * Finds the result of an append that was refused because the stream ended at `actual` instead of `expected`. Events after `expected` from
 * the same command were appended by this call, resent after a lost response (then the hashes match `sealed`), or by another call
 * (`repeated`). Throws `WrongRevision` if another command came first, `WrongHead` if only the hash differs, and `ChainBroken` if the last
 * event was altered.
 */
export const afterConflict = async (
  { stream, expected, sealed, command }: Attempt,
  actual: Revision,
  read: (stream: StreamName, after: Revision, limit: number) => Promise<readonly StoredEvent[]>,
): Promise<Appended> => {
  if (actual === expected.revision) throw hashConflict(stream, await read(stream, actual - 2, 2));
  const next = actual > expected.revision ? await read(stream, expected.revision, MOST_OF_A_COMMAND) : [];
  const other = next.findIndex((event) => parseMetadata(event).commandId !== command.commandId);
  const ofCommand = other < 0 ? next : next.slice(0, other);
  const last = ofCommand.at(-1);
  if (!last) throw new WrongRevision(stream, expected.revision, actual);
  const head = computeHead(ofCommand);
  return { position: last.position, head, repeated: head.hash !== sealed.head.hash };
};
