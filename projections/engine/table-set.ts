import type { ColumnKind, Projector, TableSpec } from './define-projector.ts';

/** Every version of a read model stands in one slot, `live`, and while it is built anew in a second one beside it, `next`. */
export type SlotName = 'live' | 'next';

/** A column by name, its kind and the type that Postgres knows it by. */
export type SlotColumn = { readonly name: string; readonly kind: ColumnKind; readonly type: string };

/** A table of a slot: what it is called in the database and how it is made. */
export type SlotTable = {
  /** The projector's name for it. */
  readonly name: string;
  /** Quoted and with its schema, `"read"."products_v1"`. */
  readonly sqlName: string;
  readonly bareName: string;
  readonly spec: TableSpec;
  readonly columns: readonly SlotColumn[];
  /** The type that Postgres knows the key by. */
  readonly keyType: string;
};

/** The tables of one version of a read model, in one of its two slots. */
export type Slot = {
  readonly projector: Projector;
  readonly name: SlotName;
  readonly tables: readonly SlotTable[];
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

const slotTable = (projector: Projector, slot: SlotName, name: string, spec: TableSpec): SlotTable => {
  const bareName = `${name}_v${projector.version}${slot === 'next' ? '_next' : ''}`;
  const columns = Object.entries(spec.columns).map(([column, kind]) => ({ name: column, kind, type: TYPES[kind] }));
  const keyType = TYPES[spec.columns[spec.key] ?? 'text'];
  return { name, sqlName: `read.${quoted(bareName)}`, bareName, spec, columns, keyType };
};

export const slotOf = (projector: Projector, name: SlotName): Slot => ({
  projector,
  name,
  tables: Object.entries(projector.tables).map(([table, spec]) => slotTable(projector, name, table, spec)),
});

/** SQL that creates the table with its key, which rows are put by. Indexes are built faster once the rows are there. */
export const createTable = ({ sqlName, columns, spec }: SlotTable, { isDiscarded = false }: Slot): string => {
  const definitions = columns.map(({ name, kind, type }) => {
    // Keys are compared and never shown in order: byte order is the fastest.
    const collation = name === spec.key && kind === 'text' ? ' collate "C"' : '';
    return `${quoted(name)} ${type}${collation}`;
  });
  return `create ${isDiscarded ? 'unlogged ' : ''}table ${sqlName} (${definitions.join(', ')}, primary key (${quoted(spec.key)}))`;
};

/** SQL for a table whose rows are there: its indexes, to which Postgres gives names that are free, and what it plans queries by. */
export const completeTable = ({ sqlName, spec }: SlotTable, { isDiscarded = false }: Slot): string[] => [
  ...(isDiscarded ? [] : (spec.indexes ?? [])).map((definition) => `create index on ${sqlName} ${definition}`),
  `analyze ${sqlName}`,
];

/** Puts the table of `next`, which is whole, where that of `live` was. */
export const renameTable = (next: SlotTable, live: SlotTable): string[] => [
  `drop table if exists ${live.sqlName}`,
  `alter table ${next.sqlName} rename to ${quoted(live.bareName)}`,
];
