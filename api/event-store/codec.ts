import { randomUUID } from 'node:crypto';
import type { CommandMetadata, EventMetadata, Recorded, StreamHead, StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import type { Instant } from '#domain/shared/instant.ts';
import { linked } from './chain.ts';
import { hasPersonalText, openFields, randomIv, SealBroken, sealFields, type Json, type MakeIv } from './personal-fields.ts';
import type { EventSchema } from './schemas.ts';
import { categoryOf, type SealedEvent, type StoredEvent } from './stored-event.ts';
import type { SubjectKey, SubjectKeys } from './subject-keys.ts';

/** Between the events of the domain and the texts that a store keeps. */
export interface EventCodec {
  /**
   * What to store for these events at the end of a stream: chained, personal fields encrypted, under ids of their own each time, since a
   * command that is given again may be decided otherwise. Throws `SubjectErased` for
   * personal fields of somebody who was erased.
   */
  seal(stream: StreamName, expected: StreamHead, events: readonly DomainEvent[], command: CommandMetadata): Promise<Sealed>;

  /**
   * The events as the domain knows them: upcast, personal fields open or `erased`. Data and metadata of an event are worked
   * out when they are first touched: a follower that passes most events by does not pay for them, and an event that cannot
   * be read throws (`UnreadableEvent`, `SealBroken`) in the hands of the one who needs it, not of all who read the same page.
   */
  open(stored: readonly StoredEvent[]): Promise<readonly Recorded[]>;
}

type SealedData = { readonly version: number; readonly subject?: string; readonly data: string };

export type Sealed = { readonly events: readonly SealedEvent[]; readonly head: StreamHead };

/** What stands in the log is not something that this program can read: damaged, or written by a newer one. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(event: SealedEvent, why: string, options?: ErrorOptions) {
    super(`${event.type} at ${event.stream}:${event.revision} cannot be read: ${why}`, options);
  }
}

type StoredMetadata = Omit<EventMetadata, 'eventId'> & { readonly subject?: string };

export type CodecParts = {
  readonly schemas: { readonly [type: string]: EventSchema<never> };
  readonly keys: SubjectKeys;
  readonly now: () => Instant;
  /** For tests that compare bytes. */
  readonly makeIv?: MakeIv;
  readonly newEventId?: () => string;
};

export const eventCodec = ({ schemas, keys, now, makeIv = randomIv, newEventId = randomUUID }: CodecParts): EventCodec => {
  const registered = new Map(Object.entries(schemas));

  /** A promise only where a key is needed, which most events do without. */
  const sealOne = (stream: StreamName, event: DomainEvent, command: CommandMetadata): SealedData | Promise<SealedData> => {
    const schema = registered.get(event.type);
    if (!schema) throw new Error(`No schema is registered for ${event.type}`);
    const { version, personal } = schema;

    // The registry holds a type's schema under its name, which the compiler cannot follow through a lookup by text.
    const data = event.data as never;
    if (!personal || !hasPersonalText(data, personal.fields)) return { version, data: JSON.stringify(data) };
    const subject = personal.subject(data, { stream, actor: command.actor });
    return keys.keyFor(subject).then((key) => {
      const sealed = sealFields(data, personal.fields, key, { subject, stream }, makeIv);
      return { version, subject, data: JSON.stringify(sealed) };
    });
  };

  const seal = async (
    stream: StreamName,
    expected: StreamHead,
    events: readonly DomainEvent[],
    command: CommandMetadata,
  ): Promise<Sealed> => {
    categoryOf(stream);
    if (events.length === 0) throw new Error(`Nothing to append to ${stream}`);
    const { commandId, correlationId, causationId, actor, traceparent } = command;
    const sealed: SealedEvent[] = [];
    let head = expected;
    let recordedAt: Instant | undefined;
    for (const event of events) {
      const sealedData = sealOne(stream, event, command);
      const { version, subject, data } = sealedData instanceof Promise ? await sealedData : sealedData;
      // No event is older than the key of its personal fields (see `openPersonal`).
      recordedAt ??= now();
      const revision = head.revision + 1;
      const eventId = newEventId();
      const metadata = JSON.stringify({ version, subject, commandId, correlationId, causationId, actor, traceparent, recordedAt });
      const next = linked(head.hash, { stream, revision, eventId, type: event.type, data, metadata });
      sealed.push(next.event);
      head = next.head;
    }
    return { events: sealed, head };
  };

  /** The keys of those whom these tell of. */
  const keysFor = async (stored: readonly StoredEvent[]): Promise<ReadonlyMap<string, SubjectKey>> => {
    const subjects = new Set<string>();
    for (const event of stored) {
      const subject = subjectOf(event);
      if (subject !== undefined) subjects.add(subject);
    }
    return subjects.size === 0 ? NO_KEYS : keys.keysOf([...subjects]);
  };

  const isSealed = (event: StoredEvent): boolean => !isPlain(event, registered.get(event.type));

  const open = async (stored: readonly StoredEvent[]): Promise<readonly Recorded[]> => {
    const known = await keysFor(stored.filter(isSealed));
    return stored.map((event) => recorded(event, registered.get(event.type), known));
  };

  return { seal, open };
};

const NO_KEYS: ReadonlyMap<string, SubjectKey> = new Map();

/** An object of the log's own JSON; what it holds was typed when it was written. */
const parsed = <Shape>(event: SealedEvent, text: string): Shape => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Shape;
  } catch (cause) {
    throw new UnreadableEvent(event, 'it is not JSON', { cause });
  }
  throw new UnreadableEvent(event, 'it is not an object');
};

/** How metadata that tell of a subject begin, as they are written here. */
const WRITTEN = /^\{"version":(\d+),"subject":"([^"\\]*)","commandId":/;

/** Version and subject. Most metadata are not parsed for it, which is a millionfold saving in a rebuild. */
const writtenOf = (event: StoredEvent): Pick<StoredMetadata, 'version' | 'subject'> => {
  const [, version, subject] = WRITTEN.exec(event.metadata) ?? [];
  return version !== undefined && subject !== undefined
    ? { version: Number(version), subject }
    : parsed<StoredMetadata>(event, event.metadata);
};

const subjectOf = (event: StoredEvent): string | undefined => {
  if (!event.metadata.includes('"subject":')) return undefined;
  try {
    return writtenOf(event).subject;
  } catch {
    return undefined; // The reader of this event will be told; the others of its page need not be.
  }
};

/** Getters of a class, not of each object: an object with getters of its own is slow, and is not soon cleared away. */
class OpenedEvent {
  readonly stream: StreamName;
  readonly revision: number;
  readonly position: StoredEvent['position'];
  readonly type: string;
  #data: object | undefined;
  #metadata: EventMetadata | undefined;
  readonly #stored: StoredEvent;
  readonly #schema: EventSchema<never> | undefined;
  readonly #keys: ReadonlyMap<string, SubjectKey>;

  constructor(stored: StoredEvent, schema: EventSchema<never> | undefined, keys: ReadonlyMap<string, SubjectKey>) {
    this.stream = stored.stream;
    this.revision = stored.revision;
    this.position = stored.position;
    this.type = stored.type;
    this.#stored = stored;
    this.#schema = schema;
    this.#keys = keys;
  }

  get data(): object {
    return (this.#data ??= dataOf(this.#stored, this.#schema, this.#keys));
  }

  get metadata(): EventMetadata {
    return (this.#metadata ??= metadataOf(this.#stored));
  }
}

const recorded = (event: StoredEvent, schema: EventSchema<never> | undefined, keys: ReadonlyMap<string, SubjectKey>): Recorded =>
  new OpenedEvent(event, schema, keys);

/** Metadata of an event as the domain knows them. Throws `UnreadableEvent`. */
export const metadataOf = (event: StoredEvent): EventMetadata => {
  const stored = parsed<StoredMetadata>(event, event.metadata);
  const { eventId } = event;
  // Taking a member out of an object copies it, which most events can do without.
  if (stored.subject === undefined) return Object.assign(stored, { eventId });
  const { subject: _, ...others } = stored;
  return { eventId, ...others };
};

/** Today's shape without a subject, which is nearly everything, is told by how its metadata begin. */
const isPlain = (event: StoredEvent, schema: EventSchema<never> | undefined): schema is undefined => {
  return !schema || event.metadata.startsWith(`{"version":${schema.version},"commandId":`);
};

const dataOf = (event: StoredEvent, schema: EventSchema<never> | undefined, keys: ReadonlyMap<string, SubjectKey>): object => {
  const data = parsed<Readonly<Record<string, Json>>>(event, event.data);
  if (isPlain(event, schema)) return data;
  const { version, subject } = writtenOf(event);
  const opened = subject === undefined ? data : openPersonal(event, data, subject, keys.get(subject));
  return upcast(event, schema, version, opened as Readonly<Record<string, Json>>);
};

/**
 * What was encrypted before the subject's key was made had another key, which was lost with a database that came back without its keys:
 * that reads `erased`, too. Only where it does not open, so that clocks that differ by a little cost nothing.
 */
const openPersonal = (event: StoredEvent, data: Readonly<Record<string, Json>>, subject: string, key: SubjectKey | undefined): Json => {
  const belonging = { subject, stream: event.stream };
  try {
    return openFields(data, key, belonging);
  } catch (error) {
    const isOlderThanKey = error instanceof SealBroken && key && Date.parse(metadataOf(event).recordedAt) < key.madeAt;
    if (!isOlderThanKey) throw error;
    return openFields(data, undefined, belonging);
  }
};

const upcast = (event: StoredEvent, schema: EventSchema<never>, version: number, data: Readonly<Record<string, Json>>): object => {
  if (!(version <= schema.version)) throw new UnreadableEvent(event, `version ${version} is newer than this program`);
  let current = data;
  for (let from = version; from < schema.version; from++) {
    const step = schema.upcast?.[from];
    if (!step) throw new UnreadableEvent(event, `nothing upcasts version ${from}`);
    current = step(current);
  }
  return current;
};
