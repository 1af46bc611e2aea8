import { hash } from 'node:crypto';
import { NO_STREAM, type Revision, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { SealedEvent, StoredEvent } from './stored-event.ts';

/** The text before it is what was hashed. */
const HASH_SUFFIX = /,"hash":"([0-9a-f]{64})"\}$/;
const HASH_SUFFIX_LENGTH = 75;

/** Length-prefixed, so that `1:a`, `2:bc` cannot be read as `2:ab`, `1:c`. */
const framed = (parts: readonly string[]): string => parts.map((part) => `${part.length}:${part}`).join('');

/**
 * Links an event to the previous one: hex SHA-256 over the previous hash, stream, revision, event id, type, data text and metadata text
 * without its hash, each prefixed with its length in UTF-16 units and a colon.
 */
const linkOf = (previous: string, event: Omit<SealedEvent, 'metadata'>, metadata: string): string =>
  hash('sha256', framed([previous, event.stream, String(event.revision), event.eventId, event.type, event.data, metadata]));

/** Adds the hash as the last member of the metadata. */
export const linked = (previous: string, event: SealedEvent): { event: SealedEvent; head: StreamHead } => {
  const link = linkOf(previous, event, event.metadata);
  const metadata = `${event.metadata.slice(0, -1)},"hash":"${link}"}`;
  return { event: { ...event, metadata }, head: { revision: event.revision, hash: link } };
};

/** Empty if the shop did not write the metadata. */
export const hashIn = (metadata: string): string => HASH_SUFFIX.exec(metadata.slice(-HASH_SUFFIX_LENGTH))?.[1] ?? '';

/** After these stored events, in order; `before` when there are none. */
export const headOf = (stored: readonly SealedEvent[], before: StreamHead = NO_STREAM): StreamHead => {
  const last = stored.at(-1);
  return last ? { revision: last.revision, hash: hashIn(last.metadata) } : before;
};

/** `missing`: no event at this revision. `out_of_place`: an event of another stream or revision. `altered`: the hash does not match. */
export type ChainFault = 'missing' | 'out_of_place' | 'altered';
export type ChainVerdict =
  | { readonly chain: 'intact'; readonly head: StreamHead }
  | { readonly chain: 'broken'; readonly brokenAt: Revision; readonly fault: ChainFault };

export const recomputedHash = (previous: string, event: SealedEvent): string =>
  linkOf(previous, event, `${event.metadata.slice(0, -HASH_SUFFIX_LENGTH)}}`);

const faultAt = (stream: StreamName, head: StreamHead, event: SealedEvent): ChainFault | undefined => {
  const expected = head.revision + 1;
  if (event.revision > expected) return 'missing';
  if (event.stream !== stream || event.revision < expected) return 'out_of_place';
  const link = hashIn(event.metadata);
  return link !== '' && link === recomputedHash(head.hash, event) ? undefined : 'altered';
};

/**
 * The first revision at which a stream's stored events, in stored order, are not the ones appended. A chain that was rewritten or cut at
 * its end is consistent in itself: only earlier saved heads (`known`, any order) reveal that. To verify in parts, pass the head of one as
 * `after` of the next.
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
    head = { revision: event.revision, hash: hashIn(event.metadata) };
    if ((saved.get(head.revision) ?? head.hash) !== head.hash) return { chain: 'broken', brokenAt: head.revision, fault: 'altered' };
  }
  const cutOff = known.some((each) => each.revision > head.revision);
  return cutOff ? { chain: 'broken', brokenAt: head.revision + 1, fault: 'missing' } : { chain: 'intact', head };
};

/**
 * Hex SHA-256 over the previous one (empty before the first event) and the event's position, stream, revision and hash. It seals the set of
 * streams and the order of all events; the chains seal their content.
 */
export const rolledHash = (previous: string, { position, stream, revision, metadata }: StoredEvent): string =>
  hash('sha256', Buffer.concat([Buffer.from(previous, 'hex'), Buffer.from(`${position} ${stream} ${revision} ${hashIn(metadata)}`)]));
