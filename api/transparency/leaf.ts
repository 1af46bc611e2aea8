import { hash } from 'node:crypto';
import type { Revision, StreamName } from '#domain/event-store.ts';
import { parseHash } from '../event-store/chain.ts';

/** The text of a leaf: four lines that say which event is there, without its content or the name of its stream, which may hold a user's id. */
export const formatLeaf = (stream: StreamName, revision: Revision, chainHash: string): string =>
  `ruhani-event/1\n${hash('sha256', stream)}\n${revision}\n${chainHash}\n`;

/** Returns the leaf of a stored event. The last line is empty if the shop did not write the event. */
export const leafOf = (event: { readonly stream: StreamName; readonly revision: Revision; readonly metadata: string }): string =>
  formatLeaf(event.stream, event.revision, parseHash(event.metadata));
