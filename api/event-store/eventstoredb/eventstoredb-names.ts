import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { logPosition, type Category, type StreamName } from '#domain/event-store.ts';
import { streamCategories, type StoredEvent } from '../stored-event.ts';

export type Place = Pick<StoredEvent, 'stream' | 'position'>;

/**
 * The client parses JSON. Stringifying again gives the text that was hashed: that came from `JSON.stringify`, and parsing keeps the member
 * order. What is not JSON stays as it is.
 */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value === undefined ? '' : JSON.stringify(value);
};

/** Commit positions: without explicit transactions the prepare position is the same. */
export const positionOf = ({ commitPosition, event }: { commitPosition?: bigint; event?: Pick<RecordedEvent, 'position'> }): bigint =>
  commitPosition ?? event?.position?.commit ?? 0n;

/** A tombstone or a link, written by the server itself. */
export const isOfServer = (type: string): boolean => type.startsWith('$');

export type Naming = ReturnType<typeof naming>;

/** Streams on a server that may be shared. */
export const naming = (prefix: string) => {
  /** Of all streams of these categories. */
  const prefixesOf = (wanted: readonly Category[]) => wanted.map((category) => `${prefix}${category}${category === 'tax' ? '' : '-'}`);
  const ours = prefixesOf(streamCategories.filter((each) => each !== 'tax'));
  /** The shop's stream with this name on the server, if it is one. */
  const streamIn = (name: string): StreamName | undefined =>
    name === `${prefix}tax` || ours.some((each) => name.startsWith(each)) ? (name.slice(prefix.length) as StreamName) : undefined;
  /** This and `storedOf` are undefined for other streams and for the server's own events. */
  const placeOf = (resolved: AllStreamResolvedEvent | ResolvedEvent): Place | undefined => {
    const { event } = resolved;
    const stream = event && !isOfServer(event.type) && streamIn(event.streamId);
    return stream ? { stream, position: logPosition(positionOf(resolved)) } : undefined;
  };

  return {
    nameOf: (stream: StreamName): string => `${prefix}${stream}`,
    prefixesOf,
    streamIn,
    placeOf,
    storedOf: (resolved: AllStreamResolvedEvent | ResolvedEvent): StoredEvent | undefined => {
      const { event } = resolved;
      const place = placeOf(resolved);
      if (!event || !place) return undefined;
      return {
        ...place,
        revision: Number(event.revision),
        eventId: event.id,
        type: event.type,
        data: textOf(event.data),
        metadata: textOf(event.metadata),
      };
    },
  };
};
