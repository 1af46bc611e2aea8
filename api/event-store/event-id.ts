import { hash } from 'node:crypto';
import type { Revision, StreamName } from '#domain/event-store.ts';

/**
 * The id of the event that a command writes at a revision of a stream, as a UUID of version 8 (RFC 9562: of our own making).
 * A retry of the command on the same head has the same ids, which is how a store knows it; on another head it is another
 * append, so that no id is ever in the log twice.
 */
export const eventIdOf = (commandId: string, stream: StreamName, revision: Revision): string => {
  const hex = hash('sha256', JSON.stringify([commandId, stream, revision]));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
