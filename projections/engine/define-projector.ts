import type { Category, Recorded, StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

/**
 * A kind sets the type of a column and of its values in JavaScript: `text`, `uuid` (a string in lower case), `integer` (int4), `paise`
 * (int8, a number), `position` (numeric, a bigint), `rating` (float8, a number), `boolean`, `instant` (timestamptz, an `Instant`), `day`
 * (date, `YYYY-MM-DD`), `json` (JSON as text, stored unchanged; a string). Every column may be null.
 */
export type ColumnKind = 'text' | 'uuid' | 'integer' | 'paise' | 'position' | 'rating' | 'boolean' | 'instant' | 'day' | 'json';

export type TableSpec = {
  /** A `rows` table has one row for each key, which is read before a batch. A `sums` table has one row of numbers for each key, to which */
  readonly kind: 'rows' | 'sums';
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Each index is the part after `create index on <table>`, such as `(shopper_id, placed_at desc)`. */
  readonly indexes?: readonly string[];
  /** Where several categories share the key: the category whose streams make the table's rows. */
  readonly category?: Category | undefined;
};

declare const rowType: unique symbol;

/** One row for each key. See `nameTable` for its name in the database. */
export type RowsTable<Row extends object> = TableSpec & { readonly kind: 'rows'; readonly [rowType]?: Row };
/** One row of sums for each key. See `nameTable` for its name in the database. */
export type SumsTable<Row extends object> = TableSpec & { readonly kind: 'sums'; readonly [rowType]?: Row };

type RowsDefinition<Row extends object> = {
  readonly key: keyof Row & string;
  readonly columns: { readonly [Column in keyof Row & string]: ColumnKind };
  readonly indexes?: readonly string[];
  readonly category?: Category;
};

type SumsDefinition<Row extends object, Key extends keyof Row & string> = {
  readonly key: Key;
  /**
   * `integer` and `paise` are added: sums of floating-point numbers would depend on the order of the events. Other columns
   * repeat parts of the key, by which queries select and group.
   */
  readonly columns: { readonly [Column in keyof Row & string]: ColumnKind };
  readonly indexes?: readonly string[];
};

/** Defines a table with one row of type `Row` for each key. The key is text or a UUID. */
export const rowsTable = <Row extends object>(definition: RowsDefinition<Row>): RowsTable<Row> => ({ kind: 'rows', ...definition });

/** Defines a table of sums for each key: `sumsTable<Figures, 'day'>({ key: 'day', … })`. */
export const sumsTable = <Row extends object, Key extends keyof Row & string>(definition: SumsDefinition<Row, Key>): SumsTable<Row> => ({
  kind: 'sums',
  ...definition,
});

/** Returns whether a `sums` table adds the numbers of this column. */
export const isAdded = ({ key, columns }: TableSpec, column: string): boolean =>
  column !== key && (columns[column] === 'integer' || columns[column] === 'paise');

/** Event handlers see a `rows` table in memory, with the changes of earlier events of the batch. */
export interface Rows<Row extends object> {
  /**
   * Returns the row with this key. Throws when the projector's `keys` does not name the key for this event, since the row was not loaded.
   */
  get(key: string): Readonly<Row> | undefined;
  set(row: Row): void;
  delete(key: string): void;
}

/** Event handlers see a `sums` table like this: numbers are added to the current ones, which start at 0. */
export interface Sums<Row extends object> {
  add(row: Row): void;
}

export type Tables = Readonly<Record<string, TableSpec>>;

export type RowOf<Table extends TableSpec> = Table extends { readonly [rowType]?: infer Row extends object } ? Row : never;

export type Handles<Of extends Tables> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly kind: 'rows' } ? Rows<RowOf<Of[Name]>> : Sums<RowOf<Of[Name]>>;
};

/** An event reads these keys, by table; a table that is left out is not read. */
export type Keys<Of extends Tables> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly kind: 'rows' } ? Name : never]?: readonly string[];
};

type Definition<Event extends DomainEvent, Of extends Tables> = {
  /** The name is used in checkpoints and on the command line. */
  readonly name: string;
  /** Raise the version when tables or handlers change: the worker builds the new version from the first event, beside the old one. */
  readonly version: number;
  /** The projector follows streams of these categories. Queries wait for positions of these only. */
  readonly categories: readonly Category[];
  readonly tables: Of;
  /**
   * By default the key is the id of the event's stream. A row whose key is the id of a stream of its table's category is first set by it.
   */
  readonly keys?: (event: Recorded<Event>) => Keys<Of>;
  /**
   * Each event type of the union has a handler: a new type compiles only once every projector handles it. Handlers are pure and
   * synchronous, without clock, randomness or other read models, so that a rebuild gives the same rows. If one throws, its event is parked
   * with the rest of the stream.
   */
  readonly on: { readonly [Type in Event['type']]: (tables: Handles<Of>, event: Recorded<Extract<Event, { type: Type }>>) => void };
  /** Handles event types that this release does not know. By default they are ignored. They are counted as unknown in any case. */
  readonly onUnknown?: (tables: Handles<Of>, event: Recorded) => void;
};

export type Projector<Of extends Tables = Tables> = {
  readonly name: string;
  readonly version: number;
  readonly categories: readonly Category[];
  readonly tables: Of;
  /** Returns the keys to load before `apply`, by table. */
  readonly keys: (event: Recorded) => Readonly<Record<string, readonly string[] | undefined>>;
  /** Applies the event to the tables. Returns `unknown` if this type has no handler. */
  readonly apply: (handles: unknown, event: Recorded) => 'applied' | 'unknown';
};

/** Returns the id of a stream, which is its name without the category: `oud-royal` for `product-oud-royal`. */
export const streamId = (stream: StreamName): string => stream.slice(stream.indexOf('-') + 1);

/** Returns whether events of this stream can make rows of the table. */
export const isMadeBy = ({ category }: TableSpec, stream: StreamName): boolean =>
  category === undefined || stream.startsWith(`${category}-`);

/**
 * Defines a projector: `defineProjector<ProductEvent>()({ name: 'catalogue', … })`. There are two calls, so that only the event type is
 * given.
 */
export const defineProjector =
  <Event extends DomainEvent>() =>
  <Of extends Tables>(definition: Definition<Event, Of>): Projector<Of> => {
    const { name, version, categories, tables } = definition;
    const rowTables = Object.keys(tables).filter((table) => tables[table]?.kind === 'rows');
    const byStream = (event: Recorded) => {
      const key = [streamId(event.stream)];
      const keys: Record<string, readonly string[]> = {};
      for (const table of rowTables) keys[table] = key;
      return keys;
    };
    // The types end here: an event with a handler is assumed to be one of `Event`.
    const handlers = new Map(Object.entries(definition.on)) as Map<string, (handles: unknown, event: Recorded) => void>;
    const onUnknown = definition.onUnknown as ((handles: unknown, event: Recorded) => void) | undefined;
    const named = definition.keys as ((event: Recorded) => Record<string, readonly string[]>) | undefined;

    return {
      name,
      version,
      categories,
      tables,
      keys: named ? (event) => (handlers.has(event.type) ? named(event) : {}) : byStream,
      apply: (handles, event) => {
        const handler = handlers.get(event.type);
        (handler ?? onUnknown)?.(handles, event);
        return handler ? 'applied' : 'unknown';
      },
    };
  };
