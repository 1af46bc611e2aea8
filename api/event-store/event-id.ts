import { hash } from 'node:crypto';
import type { Revision, StreamName } from '#domain/event-store.ts';
import { uuidFromHash } from '#domain/shared/uuid.ts';

/**
 * The id of the event that a command writes at a revision of a stream, as a UUID of version 8 (RFC 9562: of our own making).
 * A retry of the command on the same head has the same ids, which is how a store knows it; on another head it is another
 * append, so that no id is ever in the log twice.
 */
export const eventIdOf = (commandId: string, stream: StreamName, revision: Revision): string =>
  uuidFromHash(hash('sha256', JSON.stringify([commandId, stream, revision])));
