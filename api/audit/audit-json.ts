import type { EventMetadata, Recorded } from '#domain/event-store.ts';

import type { SealedStoredEvent } from '../event-store/stored-event.ts';

export const NDJSON = 'application/x-ndjson';

/** If an event cannot be decoded, parts are null and `unreadable` has the reason. */
export type EventView = {
  /** The position is a decimal text, because JSON numbers are exact only up to 2⁵³. */
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

/** Returns the metadata. Throws if the shop did not write them. */
const viewMetadata = ({ metadata }: Recorded): EventMetadata => {
  const { recordedAt, actor, hash }: Partial<EventMetadata> = metadata;
  if (typeof recordedAt !== 'string' || typeof hash !== 'string' || typeof actor?.kind !== 'string')
    throw new Error('its metadata were not written by the shop');
  return metadata;
};

/** Never throws, because auditors need to see unreadable events above all. */
export const viewEvent = (event: Recorded): EventView => {
  const data = attempt(() => event.data);
  const metadata = attempt(() => viewMetadata(event));
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

/** Contains everything that the hash chain covers, so that a file of these lines can be verified anywhere. */
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
