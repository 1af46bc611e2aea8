import { logPosition, type Actor, type LogPosition, type Revision, type StreamName } from '#domain/event-store.ts';
import { uuidFrom } from '#domain/shared/uuid.ts';
import { errorOf, type OpenedText } from './opened-text.ts';
import type { StoredEvent } from './stored-event.ts';

/**
 * A page of the log as bytes: events as binary COPY has rows of `EVENT_COLUMNS` (PostgreSQL, "COPY", binary format). So Postgres sends it in
 * one piece, and it goes from one thread to another as it is; of an event texts are made when somebody asks for them.
 */
export type PageBytes = Buffer;

export const EVENT_COLUMNS = 'position, revision, event_id, stream, type, metadata, data';

/** Before the rows stand so many bytes, and each row begins with the number of its fields. */
const HEADER_BYTES = 19;
const COUNT = 2;
/** In place of that number: there are no more rows. */
const NO_MORE = -1;
/** Before each field stand its bytes, so many; in place of their number: it is null. */
const LENGTH = 4;
const NULL = -1;

/** Where, from the beginning of a row, the fields are that always take as much; the first text follows them. */
const POSITION = COUNT + LENGTH;
const REVISION = POSITION + 8 + LENGTH;
const EVENT_ID = REVISION + 4 + LENGTH;
const EVENT_ID_BYTES = 16;
const TEXTS = EVENT_ID + EVENT_ID_BYTES;

/** How metadata that are written here tell who acted, up to what kind of actor it is, and from there to its id. */
const ACTOR = '"actor":{"kind":"';
const KIND = '{"kind":"';
const ID = '","id":"';
const [OPENED, QUOTE, CLOSED] = [0x7b, 0x22, 0x7d];
const KINDS = new Map((['visitor', 'user', 'admin', 'system'] as const).map((kind) => [kind as string, kind]));

/** An event in a page. In place of its data it may have what is wrong with them. */
export class EventRow implements StoredEvent {
  readonly type: string;
  /** Where the length of its data stands in the page. */
  readonly dataAt: number;
  /** Where the next row begins. */
  readonly end: number;
  readonly #typeAt: number;
  readonly #metadataAt: number;
  #metadata: string | undefined;

  constructor(
    readonly page: PageBytes,
    /** Where it begins in the page. */
    readonly at: number,
  ) {
    this.#typeAt = after(page, at + TEXTS);
    this.#metadataAt = after(page, this.#typeAt);
    this.dataAt = after(page, this.#metadataAt);
    const dataEnd = after(page, this.dataAt);
    this.end = this.#hasTrouble ? after(page, dataEnd) : dataEnd;
    // Names of types and streams are ASCII.
    this.type = page.toString('latin1', this.#typeAt + LENGTH, this.#metadataAt);
  }

  get stream(): StreamName {
    return this.page.toString('latin1', this.at + TEXTS + LENGTH, this.#typeAt) as StreamName;
  }

  get position(): LogPosition {
    return logPosition(this.page.readBigInt64BE(this.at + POSITION));
  }

  get revision(): Revision {
    return this.page.readInt32BE(this.at + REVISION);
  }

  get eventId(): string {
    return uuidFrom(this.page.toString('hex', this.at + EVENT_ID, this.at + TEXTS));
  }

  get metadata(): string {
    return (this.#metadata ??= this.page.toString('utf8', this.#metadataAt + LENGTH, this.dataAt));
  }

  /** Whether its metadata begin with this text of ASCII. The rest is not looked at. */
  metadataBegins(text: string): boolean {
    const begins = this.#metadataAt + LENGTH;
    return this.page.toString('latin1', begins, begins + text.length) === text;
  }

  /** Who acted, without reading the rest of the metadata. Undefined when it is not told as it is written here. */
  get actor(): Actor | undefined {
    const { page, dataAt } = this;
    // The first object in them, as ids and names of fields have no braces.
    const kind = page.indexOf(OPENED, this.#metadataAt + LENGTH + 1) + KIND.length;
    const kindEnds = page.indexOf(QUOTE, kind);
    const id = kindEnds + ID.length;
    const ends = page.indexOf(QUOTE, id);
    // What is found may be of another row's, or nothing.
    const isFound = kind > this.#metadataAt && id < ends && ends < dataAt && page[ends + 1] === CLOSED;
    if (!isFound || page.toString('latin1', kind - ACTOR.length, kind) !== ACTOR || page.toString('latin1', kindEnds, id) !== ID)
      return undefined;
    const known = KINDS.get(page.toString('latin1', kind, kindEnds));
    const text = page.toString('utf8', id, ends);
    return known === undefined || text.includes('\\') ? undefined : { kind: known, id: text };
  }

  get #hasTrouble(): boolean {
    return this.page.readInt32BE(this.dataAt) === NULL;
  }

  /** Throws what stands in place of it. */
  get data(): string {
    const begins = this.#hasTrouble ? this.dataAt + 2 * LENGTH : this.dataAt + LENGTH;
    const text = this.page.toString('utf8', begins, this.end);
    if (this.#hasTrouble) throw errorOf(JSON.parse(text)); // written by `pageWith`
    return text;
  }
}

/** Where the field ends whose length stands here. */
const after = (page: PageBytes, at: number): number => at + LENGTH + Math.max(0, page.readInt32BE(at));

/** Goes through the events of a page. */
export class RowCursor {
  #at = HEADER_BYTES;

  constructor(readonly page: PageBytes) {}

  /** So many of the next ones; fewer where the page ends. */
  take(limit: number): EventRow[] {
    const rows: EventRow[] = [];
    while (rows.length < limit && this.page.readInt16BE(this.#at) !== NO_MORE) {
      const row = new EventRow(this.page, this.#at);
      rows.push(row);
      this.#at = row.end;
    }
    return rows;
  }
}

export const rowsIn = (page: PageBytes): readonly EventRow[] => new RowCursor(page).take(Number.POSITIVE_INFINITY);

const int32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
};
const count = (fields: number): Buffer => {
  const bytes = Buffer.allocUnsafe(COUNT);
  bytes.writeInt16BE(fields);
  return bytes;
};
const field = (bytes: Buffer): readonly Buffer[] => [int32(bytes.length), bytes];
const textField = (text: string): readonly Buffer[] => field(Buffer.from(text));

/** One piece of memory that nothing else is in, which can be handed on to another thread. */
const inOnePiece = (pieces: readonly Buffer[]): PageBytes => {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

const HEADER = Buffer.alloc(HEADER_BYTES);
const END = count(NO_MORE);

/** The page that these events are. */
export const pageOf = (events: readonly StoredEvent[]): PageBytes =>
  inOnePiece([
    HEADER,
    ...events.flatMap(({ position, revision, eventId, stream, type, metadata, data }) => [
      count(EVENT_COLUMNS.split(',').length),
      ...field(int64(position)),
      ...field(int32(revision)),
      ...field(Buffer.from(eventId.replaceAll('-', ''), 'hex')),
      ...[stream, type, metadata, data].flatMap(textField),
    ]),
    END,
  ]);

/** A row of a page, and what its data are when they are open. */
export type OpenedRow = { readonly row: EventRow; readonly text: OpenedText };

const NOT_OPEN = int32(NULL);

/** What takes the place of stored data; in place of a text, what is wrong with them. */
const dataFields = (text: OpenedText): { readonly before: Buffer; readonly text: string } =>
  typeof text === 'string' ? { before: NOTHING, text } : { before: NOT_OPEN, text: JSON.stringify(text) };
const NOTHING = Buffer.alloc(0);

/** The same page with what has been opened, in the order of its rows, in place of their data. */
export const pageWith = (page: PageBytes, opened: readonly OpenedRow[]): PageBytes => {
  const fields = opened.map(({ row, text }) => ({ row, ...dataFields(text) }));
  let length = page.length;
  for (const { row, before, text } of fields) length += before.length + LENGTH + Buffer.byteLength(text) - (row.end - row.dataAt);
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  let copied = 0;
  for (const { row, before, text } of fields) {
    at += page.copy(whole, at, copied, row.dataAt);
    at += before.copy(whole, at);
    const bytes = whole.write(text, at + LENGTH);
    at = whole.writeInt32BE(bytes, at) + bytes;
    copied = row.end;
  }
  page.copy(whole, at, copied);
  return whole;
};
