import type { ColumnKind, Projector, Tables, TableSpec } from './define-projector.ts';

/** Each version has `live` tables and, during a build, `next` tables: the column `slot` of `read.checkpoints`. */
export type TableSetName = 'live' | 'next';

export type StoredColumn = { readonly name: string; readonly kind: ColumnKind; readonly type: string };

export type StoredTable = {
  /** The projector gives the table this name. */
  readonly name: string;
  /** Quoted, with the schema. */
  readonly sqlName: string;
  readonly bareName: string;
  readonly spec: TableSpec;
  readonly columns: readonly StoredColumn[];
  readonly keyType: string;
};

export type TableSet = {
  readonly projector: Projector;
  readonly name: TableSetName;
  readonly tables: readonly StoredTable[];
  /** The value is true if the tables are only compared and then dropped: they are unlogged and have no indexes. */
  readonly isDiscarded?: boolean | undefined;
};

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  uuid: 'uuid',
  integer: 'integer',
  paise: 'bigint',
  position: 'numeric(20)',
  rating: 'double precision',
  boolean: 'boolean',
  instant: 'timestamptz',
  day: 'date',
  // The type is not `json`, which Postgres would parse.
  json: 'text',
};

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The name of a projector's table in schema `read`. No other text contains its version. */
export const nameBareTable = <Of extends Tables>({ version }: Projector<Of>, table: keyof Of & string): string => `${table}_v${version}`;

/** The live table of a projector, for SQL: `read.` and its name. */
export const nameTable = <Of extends Tables>(projector: Projector<Of>, table: keyof Of & string): string =>
  `read.${nameBareTable(projector, table)}`;

const storedTable = (projector: Projector, set: TableSetName, name: string, spec: TableSpec): StoredTable => {
  const bareName = `${nameBareTable(projector, name)}${set === 'next' ? '_next' : ''}`;
  const columns = Object.entries(spec.columns).map(([column, kind]) => ({ name: column, kind, type: TYPES[kind] }));
  const keyType = TYPES[spec.columns[spec.key] ?? 'text'];
  return { name, sqlName: `read.${quoteIdentifier(bareName)}`, bareName, spec, columns, keyType };
};

export const createTableSet = (projector: Projector, name: TableSetName): TableSet => ({
  projector,
  name,
  tables: Object.entries(projector.tables).map(([table, spec]) => storedTable(projector, name, table, spec)),
});
