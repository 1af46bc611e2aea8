import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { logPosition, type Category, type StreamName } from '#domain/event-store.ts';
import { streamCategories, type StoredEvent } from '../stored-event.ts';

export type Place = Pick<StoredEvent, 'stream' | 'position'>;

/**
 * Returns the text that was hashed. The client parses JSON, and stringifying again gives the text: it came from `JSON.stringify`, and
 * parsing keeps the member order. Anything that is not JSON stays unchanged.
 */
const formatText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value === undefined ? '' : JSON.stringify(value);
};

/** Returns the commit position, which equals the prepare position without explicit transactions. */
export const getPosition = ({ commitPosition, event }: { commitPosition?: bigint; event?: Pick<RecordedEvent, 'position'> }): bigint =>
  commitPosition ?? event?.position?.commit ?? 0n;

/** Returns whether the server itself wrote the event: a tombstone or a link. */
export const isOfServer = (type: string): boolean => type.startsWith('$');

export type Naming = ReturnType<typeof naming>;

/** Names the shop's streams on a server that may be shared. */
export const naming = (prefix: string) => {
  const listPrefixes = (wanted: readonly Category[]) => wanted.map((category) => `${prefix}${category}${category === 'tax' ? '' : '-'}`);
  const ours = listPrefixes(streamCategories.filter((each) => each !== 'tax'));
  /** Returns the shop's stream with this name on the server, if it is one. */
  const parseStream = (name: string): StreamName | undefined =>
    name === `${prefix}tax` || ours.some((each) => name.startsWith(each)) ? (name.slice(prefix.length) as StreamName) : undefined;
  /** This function and `storedOf` return undefined for other streams and for the server's own events. */
  const getPlace = (resolved: AllStreamResolvedEvent | ResolvedEvent): Place | undefined => {
    const { event } = resolved;
    const stream = event && !isOfServer(event.type) && parseStream(event.streamId);
    return stream ? { stream, position: logPosition(getPosition(resolved)) } : undefined;
  };

  return {
    nameOf: (stream: StreamName): string => `${prefix}${stream}`,
    prefixesOf: listPrefixes,
    streamIn: parseStream,
    placeOf: getPlace,
    storedOf: (resolved: AllStreamResolvedEvent | ResolvedEvent): StoredEvent | undefined => {
      const { event } = resolved;
      const place = getPlace(resolved);
      if (!event || !place) return undefined;
      return {
        ...place,
        revision: Number(event.revision),
        eventId: event.id,
        type: event.type,
        data: formatText(event.data),
        metadata: formatText(event.metadata),
      };
    },
  };
};
