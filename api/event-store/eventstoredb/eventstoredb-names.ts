import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { logPosition, type Category, type StreamName } from '#domain/event-store.ts';
import { allCategories, type StoredEvent } from '../stored-event.ts';

export type Place = Pick<StoredEvent, 'stream' | 'position'>;

/** On a server that may be shared. */
export type Naming = {
  readonly nameOf: (stream: StreamName) => string;
  /** The shop's stream with this name on the server, if it is one. */
  readonly streamIn: (name: string) => StreamName | undefined;
  /** Of all streams of these categories. */
  readonly prefixesOf: (wanted: readonly Category[]) => string[];
  /** This and `storedOf` are undefined for other streams and for the server's own events. */
  readonly placeOf: (resolved: AllStreamResolvedEvent | ResolvedEvent) => Place | undefined;
  readonly storedOf: (resolved: AllStreamResolvedEvent | ResolvedEvent) => StoredEvent | undefined;
};

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

export const naming = (prefix: string): Naming => {
  const prefixesOf = (wanted: readonly Category[]) => wanted.map((category) => `${prefix}${category}${category === 'tax' ? '' : '-'}`);
  const ours = prefixesOf(allCategories.filter((each) => each !== 'tax'));
  const streamIn = (name: string): StreamName | undefined =>
    name === `${prefix}tax` || ours.some((each) => name.startsWith(each)) ? (name.slice(prefix.length) as StreamName) : undefined;
  const placeOf: Naming['placeOf'] = (resolved) => {
    const { event } = resolved;
    const stream = event && !isOfServer(event.type) && streamIn(event.streamId);
    return stream ? { stream, position: logPosition(positionOf(resolved)) } : undefined;
  };

  return {
    nameOf: (stream) => `${prefix}${stream}`,
    prefixesOf,
    streamIn,
    placeOf,
    storedOf: (resolved) => {
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
