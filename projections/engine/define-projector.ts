import type { Category, Recorded, StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

/**
 * What a column holds and how it travels: `text`, `uuid` (in lower case, a JS string), `integer` (int4), `paise` (int8, a JS number),
 * `position` (numeric, a JS bigint), `rating` (float8, a JS number), `boolean`, `instant` (timestamptz, an `Instant`), `day` (date,
 * `YYYY-MM-DD`), `json` (text that is JSON, kept as it is; a JS string). Every kind may be null.
 */
export type ColumnKind = 'text' | 'uuid' | 'integer' | 'paise' | 'position' | 'rating' | 'boolean' | 'instant' | 'day' | 'json';

/** A table as the worker sees it, whatever its rows are. */
export type TableSpec = {
  /** `rows`: one row a key, read before and written after a batch. `sums`: numbers per key that only ever get added to. */
  readonly kind: 'rows' | 'sums';
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** What follows `create index on <table>`, such as `(shopper_id, placed_at desc)`. */
  readonly indexes?: readonly string[];
};

declare const rowType: unique symbol;

/** One row a key. Its name in the database is `read.<name>_v<version of the projector>`. */
export type RowsTable<Row extends object> = TableSpec & { readonly kind: 'rows'; readonly [rowType]?: Row };
/** Numbers per key. Its name in the database is `read.<name>_v<version of the projector>`. */
export type SumsTable<Row extends object> = TableSpec & { readonly kind: 'sums'; readonly [rowType]?: Row };

type RowsDefinition<Row extends object> = {
  readonly key: keyof Row & string;
  readonly columns: { readonly [Column in keyof Row & string]: ColumnKind };
  readonly indexes?: readonly string[];
};

type SumsDefinition<Row extends object, Key extends keyof Row & string> = {
  readonly key: Key;
  /** Beside the key only whole numbers: sums of fractions would depend on the order of adding. */
  readonly columns: { readonly [Column in keyof Row & string]: Column extends Key ? ColumnKind : 'integer' | 'paise' };
  readonly indexes?: readonly string[];
};

/** A table of one row a key; `Row` is what handlers set and queries select. The key is text or a uuid. */
export const rowsTable = <Row extends object>(definition: RowsDefinition<Row>): RowsTable<Row> => ({ kind: 'rows', ...definition });

/** A table of numbers per key, each added to the one that stands there: `sumsTable<Figures, 'day'>({ key: 'day', … })`. */
export const sumsTable = <Row extends object, Key extends keyof Row & string>(definition: SumsDefinition<Row, Key>): SumsTable<Row> => ({
  kind: 'sums',
  ...definition,
});

/** The rows of a `rows` table as an event handler sees them: in memory, those of the batch already applied. */
export interface Rows<Row extends object> {
  /** The row of this key. Throws when the projector's `keys` did not name the key for the event, since it was then not loaded. */
  get(key: string): Readonly<Row> | undefined;
  set(row: Row): void;
  delete(key: string): void;
}

/** A `sums` table as an event handler sees it: each number is added to the one that stands there, 0 at first. */
export interface Sums<Row extends object> {
  add(row: Row): void;
}

export type Tables = Readonly<Record<string, TableSpec>>;

/** The rows of a table: what its handlers set and its queries select. */
export type RowOf<Table extends TableSpec> = Table extends { readonly [rowType]?: infer Row extends object } ? Row : never;

/** What a handler is given: `Rows` or `Sums` for each table of its read model. */
export type Handles<Of extends Tables> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly kind: 'rows' } ? Rows<RowOf<Of[Name]>> : Sums<RowOf<Of[Name]>>;
};

/** Which keys of which `rows` tables an event reads; a table left out is not loaded for it. */
export type Keys<Of extends Tables> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly kind: 'rows' } ? Name : never]?: readonly string[];
};

type Definition<Event extends DomainEvent, Of extends Tables, Version extends number> = {
  /** The folder of the read model, its name on the command line and in its checkpoint. */
  readonly name: string;
  /** Raise it when tables or handlers change: the worker builds the new version from the first event, beside the old one. */
  readonly version: Version;
  /** The streams followed. Queries wait for positions of these categories only. */
  readonly categories: readonly Category[];
  readonly tables: Of;
  /** Default: the id of the event's stream, in every `rows` table. What is named by the id of a stream, the events of that stream alone may set. */
  readonly keys?: (event: Recorded<Event>) => Keys<Of>;
  /**
   * What each event does to the tables. Names every event of the union: a new one does not compile until each projector says what
   * it does with it. Pure and synchronous: no clock, no randomness, no other read model; a rebuild must give the same rows. One
   * that throws makes its event a poison event, which is parked with the rest of its stream.
   */
  readonly on: { readonly [Type in Event['type']]: (tables: Handles<Of>, event: Recorded<Extract<Event, { type: Type }>>) => void };
  /** What an event of a type that this release does not know does to them. Default: nothing. Counted as unknown all the same. */
  readonly onUnknown?: (tables: Handles<Of>, event: Recorded) => void;
};

/** A read model's tables and how events fill them, as the worker runs it. */
export type Projector<Of extends Tables = Tables, Version extends number = number> = {
  readonly name: string;
  readonly version: Version;
  readonly categories: readonly Category[];
  readonly tables: Of;
  /** Keys to load before `apply`, by table. */
  readonly keys: (event: Recorded) => Readonly<Record<string, readonly string[] | undefined>>;
  /** Applies the event to the handles of `tables`. `unknown`: this release has no such event, it is passed by (and counted). */
  readonly apply: (handles: unknown, event: Recorded) => 'applied' | 'unknown';
};

/** The id of a stream: its name without the category, `oud-royal` of `product-oud-royal`. */
export const streamId = (stream: StreamName): string => stream.slice(stream.indexOf('-') + 1);

/**
 * Makes a projector of these events: `projectorOf<ProductEvent>()({ name: 'catalogue', … })`. In two steps, because the events are
 * named and everything else is inferred.
 */
export const defineProjector =
  <Event extends DomainEvent>() =>
  <Of extends Tables, const Version extends number>(definition: Definition<Event, Of, Version>): Projector<Of, Version> => {
    const { name, version, categories, tables } = definition;
    const rowTables = Object.keys(tables).filter((table) => tables[table]?.kind === 'rows');
    const byStream = (event: Recorded) => {
      const key = [streamId(event.stream)];
      const keys: Record<string, readonly string[]> = {};
      for (const table of rowTables) keys[table] = key;
      return keys;
    };
    // The one place where the union's types end: a `Recorded` of the log is one of `Event` when its type has a handler.
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
