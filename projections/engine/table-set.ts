import type { ColumnKind, Projector, TableSpec } from './define-projector.ts';

/** Every version of a read model stands in one slot, `live`, and while it is built anew in a second one beside it, `next`. */
export type TableSetName = 'live' | 'next';

/** A column by name, its kind and the type that Postgres knows it by. */
export type StoredColumn = { readonly name: string; readonly kind: ColumnKind; readonly type: string };

/** A table of a slot: what it is called in the database and how it is made. */
export type StoredTable = {
  /** The projector's name for it. */
  readonly name: string;
  /** Quoted and with its schema, `"read"."products_v1"`. */
  readonly sqlName: string;
  readonly bareName: string;
  readonly spec: TableSpec;
  readonly columns: readonly StoredColumn[];
  /** The type that Postgres knows the key by. */
  readonly keyType: string;
};

/** The tables of one version of a read model, in one of its two slots. */
export type TableSet = {
  readonly projector: Projector;
  readonly name: TableSetName;
  readonly tables: readonly StoredTable[];
  /** Its tables are only compared and then removed: they need not outlast a crash, hence nothing of them is written to the WAL, and have no indexes. */
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
  // Not `json`: Postgres need not read what was made here to see that it is some.
  json: 'text',
};

/** A name as SQL takes it, whatever letters it has. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const storedTable = (projector: Projector, set: TableSetName, name: string, spec: TableSpec): StoredTable => {
  const bareName = `${name}_v${projector.version}${set === 'next' ? '_next' : ''}`;
  const columns = Object.entries(spec.columns).map(([column, kind]) => ({ name: column, kind, type: TYPES[kind] }));
  const keyType = TYPES[spec.columns[spec.key] ?? 'text'];
  return { name, sqlName: `read.${quoted(bareName)}`, bareName, spec, columns, keyType };
};

export const tableSetOf = (projector: Projector, name: TableSetName): TableSet => ({
  projector,
  name,
  tables: Object.entries(projector.tables).map(([table, spec]) => storedTable(projector, name, table, spec)),
});
