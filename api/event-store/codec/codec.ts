import { randomUUID } from 'node:crypto';
import type { CommandMetadata, EventMetadata, Recorded, StreamHead, StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import type { Instant } from '#domain/shared/time.ts';
import { linked } from '../chain.ts';
import { hasPersonalText, openFields, randomIv, SealBroken, sealFields, type Json, type MakeIv } from '../encryption/personal-fields.ts';
import type { EventSchema } from './schemas.ts';
import { parseCategory, type SealedEvent, type StoredEvent } from '../stored-event.ts';
import type { SubjectKey, SubjectKeys } from '../encryption/subject-keys.ts';

export interface EventCodec {
  /**
   * Chains events and encrypts personal fields. Event ids are new each time, since a repeated command may decide differently. Throws
   * `SubjectErased` for personal fields of an erased subject.
   */
  seal(stream: StreamName, expected: StreamHead, events: readonly DomainEvent[], command: CommandMetadata): Promise<Sealed>;

  /**
   * Upcasts events and decrypts personal fields, or replaces them by `erased`. An event is decoded on first access, so followers do not pay
   * for events that they skip, and an unreadable event (`UnreadableEvent`, `SealBroken`) fails for its reader instead of for the whole
   * page.
   */
  open(stored: readonly StoredEvent[]): Promise<readonly Recorded[]>;
}

type SealedData = { readonly version: number; readonly subject?: string; readonly data: string };

export type Sealed = { readonly events: readonly SealedEvent[]; readonly head: StreamHead };

/** The event is damaged, or a newer release wrote it. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(event: SealedEvent, why: string, options?: ErrorOptions) {
    super(`${event.type} at ${event.stream}:${event.revision} cannot be read: ${why}`, options);
  }
}

/** Returns whether an event cannot be read now or later, by this program with these keys. */
export const isUnreadable = (error: unknown): boolean => error instanceof UnreadableEvent || error instanceof SealBroken;

type StoredMetadata = Omit<EventMetadata, 'eventId'> & { readonly subject?: string };

export type CodecParts = {
  readonly schemas: { readonly [type: string]: EventSchema };
  readonly keys: SubjectKeys;
  readonly now: () => Instant;
  /** Tests that compare bytes set these. */
  readonly makeIv?: MakeIv;
  readonly newEventId?: () => string;
};

export const eventCodec = ({ schemas, keys, now, makeIv = randomIv, newEventId = randomUUID }: CodecParts): EventCodec => {
  const registered = new Map(
    Object.entries(schemas).map(([type, schema]) => [type, { ...schema, fields: Object.keys(schema.personal?.fields ?? {}) }]),
  );

  const sealOne = async (stream: StreamName, event: DomainEvent): Promise<SealedData> => {
    const schema = registered.get(event.type);
    if (!schema) throw new Error(`No schema is registered for ${event.type}`);
    const { version, personal, fields } = schema;

    // The cast is safe: the registry has each schema under its event type, which the compiler cannot follow.
    const data = event.data as never;
    if (!personal || !hasPersonalText(data, fields)) return { version, data: JSON.stringify(data) };
    const subject = personal.subject(data);
    const sealed = sealFields(data, fields, await keys.keyFor(subject), { subject, stream }, makeIv);
    return { version, subject, data: JSON.stringify(sealed) };
  };

  const seal: EventCodec['seal'] = async (stream, expected, events, command) => {
    parseCategory(stream);
    if (events.length === 0) throw new Error(`Nothing to append to ${stream}`);
    const { commandId, correlationId, causationId, actor, traceparent } = command;
    const sealed: SealedEvent[] = [];
    let head = expected;
    let recordedAt: Instant | undefined;
    for (const event of events) {
      const { version, subject, data } = await sealOne(stream, event);
      // The time is taken after the key was made: no event may be older than the key of its personal fields (see `openPersonal`).
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

  const open: EventCodec['open'] = async (stored) => {
    const events = stored.map((event) => new OpenedEvent(event, registered.get(event.type)));
    const subjects = new Set(events.flatMap((event) => event.subject() ?? []));
    const known = subjects.size === 0 ? NO_KEYS : await keys.keysOf([...subjects]);
    for (const event of events) event.openWith(known);
    return events;
  };

  return { seal, open };
};

const NO_KEYS: ReadonlyMap<string, SubjectKey> = new Map();

/** The shop has written the text, so its type is trusted. */
const parsed = <Shape>(event: SealedEvent, text: string): Shape => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Shape;
  } catch (cause) {
    throw new UnreadableEvent(event, 'it is not JSON', { cause });
  }
  throw new UnreadableEvent(event, 'it is not an object');
};

/** The getters are on the prototype, because objects with getters of their own are slow to make and to collect. */
class OpenedEvent {
  readonly stream: StreamName;
  readonly revision: number;
  readonly position: StoredEvent['position'];
  readonly type: string;
  readonly #stored: StoredEvent;
  readonly #schema: EventSchema | undefined;
  #keys = NO_KEYS;
  #written: StoredMetadata | undefined;
  #data: object | undefined;
  #metadata: EventMetadata | undefined;

  constructor(stored: StoredEvent, schema: EventSchema | undefined) {
    this.stream = stored.stream;
    this.revision = stored.revision;
    this.position = stored.position;
    this.type = stored.type;
    this.#stored = stored;
    this.#schema = schema;
  }

  /** Returns the subject whose key is needed; undefined when the metadata are unreadable, which fails later for the event's reader only. */
  subject(): string | undefined {
    // Most events have no subject, so that their metadata need not be parsed.
    if (!this.#stored.metadata.includes('"subject":')) return undefined;
    try {
      return this.#asWritten().subject;
    } catch {
      return undefined;
    }
  }

  openWith(keys: ReadonlyMap<string, SubjectKey>): void {
    this.#keys = keys;
  }

  get data(): object {
    return (this.#data ??= this.#read());
  }

  get metadata(): EventMetadata {
    return (this.#metadata ??= withoutSubject(this.#stored.eventId, this.#asWritten()));
  }

  #asWritten(): StoredMetadata {
    return (this.#written ??= parsed<StoredMetadata>(this.#stored, this.#stored.metadata));
  }

  #read(): object {
    const data = parsed<Readonly<Record<string, Json>>>(this.#stored, this.#stored.data);
    if (!this.#schema) return data;
    const written = this.#asWritten();
    const { subject } = written;
    const opened = subject === undefined ? data : openPersonal(this.stream, data, { ...written, subject }, this.#keys.get(subject));
    return upcast(this.#stored, this.#schema, written.version, opened as Readonly<Record<string, Json>>);
  }
}

const withoutSubject = (eventId: string, written: StoredMetadata): EventMetadata => {
  const { subject: _, ...metadata } = written;
  return { eventId, ...metadata };
};

export const parseMetadata = (event: StoredEvent): EventMetadata => withoutSubject(event.eventId, parsed(event, event.metadata));

/**
 * Decrypts personal fields. Data from before the subject's key was made used another key, which was lost when a database was restored
 * without its keys: they read `erased` too. The times are compared only if decryption fails, so that small clock differences do no harm.
 */
const openPersonal = (
  stream: StreamName,
  data: Readonly<Record<string, Json>>,
  { subject, recordedAt }: Pick<StoredMetadata, 'recordedAt'> & { readonly subject: string },
  key: SubjectKey | undefined,
): Json => {
  const belonging = { subject, stream };
  try {
    return openFields(data, key, belonging);
  } catch (error) {
    const isOlderThanKey = error instanceof SealBroken && key && Date.parse(recordedAt) < key.madeAt;
    if (!isOlderThanKey) throw error;
    return openFields(data, undefined, belonging);
  }
};

const upcast = (event: StoredEvent, schema: EventSchema, version: number, data: Readonly<Record<string, Json>>): object => {
  if (!(version <= schema.version)) throw new UnreadableEvent(event, `version ${version} is newer than this program`);
  let current = data;
  for (let from = version; from < schema.version; from++) {
    const step = schema.upcast?.[from];
    if (!step) throw new UnreadableEvent(event, `there is no upcast from version ${from}`);
    current = step(current);
  }
  return current;
};
