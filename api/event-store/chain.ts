import { hash } from 'node:crypto';
import { NO_STREAM, type Revision, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { SealedEvent, StoredEvent } from './stored-event.ts';

/** The text before this suffix is what was hashed. */
const HASH_SUFFIX = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_SUFFIX_LENGTH = 75;

/** Each part is prefixed with its length, so that `1:a`, `2:bc` cannot be read as `2:ab`, `1:c`. */
const framed = (parts: readonly string[]): string => parts.map((part) => `${part.length}:${part}`).join('');

/**
 * Links an event to the previous one: hex SHA-256 over the previous hash, stream, revision, event id, type, data text, and metadata text
 * without its hash, each prefixed with its length in UTF-16 units and a colon.
 */
const computeHash = (previous: string, event: Omit<SealedEvent, 'metadata'>, metadata: string): string =>
  hash('sha256', framed([previous, event.stream, String(event.revision), event.eventId, event.type, event.data, metadata]));

/** Adds the hash as the last member of the metadata. */
export const linked = (previous: string, event: SealedEvent): { event: SealedEvent; head: StreamHead } => {
  const link = computeHash(previous, event, event.metadata);
  const metadata = `${event.metadata.slice(0, -1)},"hash":"${link}"}`;
  return { event: { ...event, metadata }, head: { revision: event.revision, hash: link } };
};

/** Returns an empty text if the shop did not write the metadata. */
export const parseHash = (metadata: string): string => HASH_SUFFIX.exec(metadata.slice(-HASH_SUFFIX_LENGTH))?.[1] ?? '';

/** Returns the head after these stored events, which are in order; `before` if there are none. */
export const computeHead = (stored: readonly SealedEvent[], before: StreamHead = NO_STREAM): StreamHead => {
  const last = stored.at(-1);
  return last ? { revision: last.revision, hash: parseHash(last.metadata) } : before;
};

/**
 * `missing` means that no event is at this revision, `out_of_place` that it belongs to another stream or revision, `altered` that the hash
 * does not match.
 */
export type ChainFault = 'missing' | 'out_of_place' | 'altered';
export type ChainVerdict =
  | { readonly chain: 'intact'; readonly head: StreamHead }
  | { readonly chain: 'broken'; readonly brokenAt: Revision; readonly fault: ChainFault };

export const recomputedHash = (previous: string, event: SealedEvent): string =>
  computeHash(previous, event, `${event.metadata.slice(0, -HASH_SUFFIX_LENGTH)}}`);

const faultAt = (stream: StreamName, head: StreamHead, event: SealedEvent): ChainFault | undefined => {
  const expected = head.revision + 1;
  if (event.revision > expected) return 'missing';
  if (event.stream !== stream || event.revision < expected) return 'out_of_place';
  const link = parseHash(event.metadata);
  return link !== '' && link === recomputedHash(head.hash, event) ? undefined : 'altered';
};

/**
 * Finds the first revision at which a stream's stored events, in stored order, are not those that were appended. A chain that was rewritten
 * or cut at its end is consistent in itself: only earlier saved heads (`known`, in any order) reveal that. To verify in parts, pass the
 * head of one part as `after` of the next.
 */
export const verifyChain = (
  stream: StreamName,
  events: readonly SealedEvent[],
  known: readonly StreamHead[] = [],
  after: StreamHead = NO_STREAM,
): ChainVerdict => {
  const saved = new Map(known.map((head) => [head.revision, head.hash]));
  let head = after;
  for (const event of events) {
    const fault = faultAt(stream, head, event);
    if (fault) return { chain: 'broken', brokenAt: head.revision + 1, fault };
    head = { revision: event.revision, hash: parseHash(event.metadata) };
    if ((saved.get(head.revision) ?? head.hash) !== head.hash) return { chain: 'broken', brokenAt: head.revision, fault: 'altered' };
  }
  const cutOff = known.some((each) => each.revision > head.revision);
  return cutOff ? { chain: 'broken', brokenAt: head.revision + 1, fault: 'missing' } : { chain: 'intact', head };
};

/**
 * Returns the hex SHA-256 over the previous rolling hash (empty before the first event) and the event's position, stream, revision and
 * hash. It seals the set of streams and the order of all events; the hash chains seal their content.
 */
export const rolledHash = (previous: string, { position, stream, revision, metadata }: StoredEvent): string =>
  hash('sha256', Buffer.concat([Buffer.from(previous, 'hex'), Buffer.from(`${position} ${stream} ${revision} ${parseHash(metadata)}`)]));
