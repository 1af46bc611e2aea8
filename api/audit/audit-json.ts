import type { EventMetadata, Recorded } from '#domain/event-store.ts';

import type { SealedStoredEvent } from '../event-store/stored-event.ts';

export const NDJSON = 'application/x-ndjson';

/** An event as auditors get it (decisions, sections 3 and 7). What this program cannot read has no data, and `unreadable` says why. */
export type EventView = {
  /** A decimal number: positions may be larger than JSON's numbers are exact. */
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: object | null;
  readonly metadata: EventMetadata | null;
  readonly recordedAt: string | null;
  readonly unreadable?: string;
};

const attempt = <Result>(read: () => Result): Result | Error => {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** Metadata as the shop writes them. Throws for those that somebody else wrote. */
const metadataOf = ({ metadata }: Recorded): EventMetadata => {
  const { recordedAt, actor, hash }: Partial<EventMetadata> = metadata;
  if (typeof recordedAt !== 'string' || typeof hash !== 'string' || typeof actor?.kind !== 'string')
    throw new Error('its metadata are not what the shop writes');
  return metadata;
};

/** Never throws: an auditor has to see above all what nobody else can read. */
export const viewEvent = (event: Recorded): EventView => {
  const data = attempt(() => event.data);
  const metadata = attempt(() => metadataOf(event));
  const trouble = [data, metadata].find((part) => part instanceof Error);
  return {
    position: String(event.position),
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    data: data instanceof Error ? null : data,
    metadata: metadata instanceof Error ? null : metadata,
    recordedAt: metadata instanceof Error ? null : metadata.recordedAt,
    ...(trouble instanceof Error && { unreadable: trouble.message }),
  };
};

/** An event text for text as it is kept: all that the hash chain is made of, so that a file of these lines can be verified anywhere. */
export type StoredLine = Omit<SealedStoredEvent, 'position'> & { readonly position: string };

export const storedLine = ({ position, stream, revision, eventId, type, data, metadata, rollingHash }: SealedStoredEvent): StoredLine => ({
  position: String(position),
  stream,
  revision,
  eventId,
  type,
  data,
  metadata,
  ...(rollingHash !== undefined && { rollingHash }),
});
