import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import { logPosition, type Category, type StreamName } from '#domain/event-store.ts';
import { categories, type StoredEvent } from './stored-event.ts';

/** How streams of the shop are called on a server that it may share with others. */
export type Naming = {
  readonly nameOf: (stream: StreamName) => string;
  /** The stream of the shop that is called so there, if it is one. */
  readonly streamIn: (name: string) => StreamName | undefined;
  readonly prefixesOf: (wanted: readonly Category[]) => string[];
  /** The event as it is stored, unless it is in none of the streams of these categories, or none of the shop's. */
  readonly storedOf: (resolved: AllStreamResolvedEvent | ResolvedEvent, wanted?: readonly Category[]) => StoredEvent | undefined;
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
  const isStreamOf = (name: string, wanted: readonly Category[]): boolean => prefixesOf(wanted).some((each) => name.startsWith(each));

  return {
    nameOf: (stream) => `${prefix}${stream}`,
    prefixesOf,
    streamIn: (name) => (isStreamOf(name, categories) ? (name.slice(prefix.length) as StreamName) : undefined),
    storedOf: (resolved, wanted = categories) => {
      const { event } = resolved;
      if (!event || isOfServer(event.type) || !isStreamOf(event.streamId, wanted)) return undefined;
      return {
        // It begins with one of the categories: that was just looked at.
        stream: event.streamId.slice(prefix.length) as StreamName,
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
