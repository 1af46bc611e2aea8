import {
  WrongRevision,
  type Appended,
  type CommandMetadata,
  type Revision,
  type StreamHead,
  type StreamName,
} from '#domain/event-store.ts';
import { headOf } from './chain.ts';
import { metadataOf, type Sealed } from './codec.ts';
import type { StoredEvent } from './stored-event.ts';

/** So many events behind the expected head are read to find those of a command: more than any command appends. */
export const MOST_OF_A_COMMAND = 20;

type Conflict = {
  readonly stream: StreamName;
  readonly expected: StreamHead;
  readonly sealed: Sealed;
  readonly command: Pick<CommandMetadata, 'commandId'>;
  /** The stored events right after `expected`, at most `MOST_OF_A_COMMAND`. */
  readonly there: readonly StoredEvent[];
  /** Where the stream ends. */
  readonly actual: Revision;
};

/**
 * What became of an append whose stream did not end where it was expected. The very events of this call are there when a request was sent
 * again by the adapter after its answer was lost: their hash covers type, data and metadata. Other events of the same command were appended
 * by another call, and `repeated` says so. Throws `WrongRevision` when somebody else was quicker.
 */
export const earlierAnswer = ({ stream, expected, sealed, command, there, actual }: Conflict): Appended => {
  const another = there.findIndex((event) => metadataOf(event).commandId !== command.commandId);
  const ofCommand = another < 0 ? there : there.slice(0, another);
  const last = ofCommand.at(-1);
  if (!last) throw new WrongRevision(stream, expected.revision, actual);
  const head = headOf(ofCommand);
  return { position: last.position, head, repeated: head.hash !== sealed.head.hash };
};
