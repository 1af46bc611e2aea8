import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { logPosition, type Category, type StreamName } from '#domain/event-store.ts';
import { categories, type StoredEvent } from '../stored-event.ts';

/** How streams of the shop are named on a server that it may share with others. */
export type Naming = {
  readonly nameOf: (stream: StreamName) => string;
  /** The stream of the shop with this name on the server, if it is one. */
  readonly streamIn: (name: string) => StreamName | undefined;
  /** What the names of all streams of these categories begin with. */
  readonly prefixesOf: (wanted: readonly Category[]) => string[];
  /** The event as the shop stores it; undefined for an event of another stream, or of the server itself. */
  readonly storedOf: (resolved: AllStreamResolvedEvent | ResolvedEvent) => StoredEvent | undefined;
};

/**
 * The client parses JSON by itself. Writing it again gives the text that was hashed: that was written by `JSON.stringify` from
 * the start, and parsing keeps the order of names. Something that is not JSON shows as it is.
 */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value === undefined ? '' : JSON.stringify(value);
};

/** Positions are commit positions: for an event that was not part of an explicit transaction the prepare position is the same. */
export const positionOf = ({ commitPosition, event }: { commitPosition?: bigint; event?: Pick<RecordedEvent, 'position'> }): bigint =>
  commitPosition ?? event?.position?.commit ?? 0n;

/** What the server itself writes into a stream: a tombstone, or a link that somebody asked for. */
export const isOfServer = (type: string): boolean => type.startsWith('$');

export const naming = (prefix: string): Naming => {
  const prefixesOf = (wanted: readonly Category[]) => wanted.map((category) => `${prefix}${category}-`);
  const ours = prefixesOf(categories);
  const streamIn = (name: string): StreamName | undefined =>
    ours.some((each) => name.startsWith(each)) ? (name.slice(prefix.length) as StreamName) : undefined;

  return {
    nameOf: (stream) => `${prefix}${stream}`,
    prefixesOf,
    streamIn,
    storedOf: (resolved) => {
      const { event } = resolved;
      const stream = event && streamIn(event.streamId);
      if (!stream || isOfServer(event.type)) return undefined;
      return {
        stream,
        revision: Number(event.revision),
        position: logPosition(positionOf(resolved)),
        eventId: event.id,
        type: event.type,
        data: textOf(event.data),
        metadata: textOf(event.metadata),
      };
    },
  };
};
