import type { ColumnKind, Projector, TableSpec } from './projector.ts';

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
export type Slot = { readonly projector: Projector; readonly name: SlotName; readonly tables: readonly SlotTable[] };

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
export const createTable = ({ sqlName, bareName, columns, spec }: SlotTable): string => {
  const definitions = columns.map(({ name, kind, type }) => {
    // Keys are compared and never shown in order: byte order is the fastest.
    const collation = name === spec.key && kind === 'text' ? ' collate "C"' : '';
    return `${quoted(name)} ${type}${collation}`;
  });
  const key = `constraint ${quoted(`${bareName}_key`)} primary key (${quoted(spec.key)})`;
  return `create table ${sqlName} (${[...definitions, key].join(', ')})`;
};

/** Names of the key and the indexes, in the order of the definition. */
const indexNames = ({ bareName, spec }: SlotTable): string[] => [
  `${bareName}_key`,
  ...(spec.indexes ?? []).map((_, index) => `${bareName}_index_${index + 1}`),
];

export const createIndexes = (table: SlotTable): string[] => {
  const [, ...names] = indexNames(table);
  return (table.spec.indexes ?? []).map(
    (definition, index) => `create index if not exists ${quoted(names[index] ?? '')} on ${table.sqlName} ${definition}`,
  );
};

/** Has Postgres learn what it plans queries by. */
export const analyze = ({ sqlName }: SlotTable): string => `analyze ${sqlName}`;

/** Puts the table of `next`, which is whole, where that of `live` was, indexes included, so that the following rebuild finds its names free. */
export const renameTable = (next: SlotTable, live: SlotTable): string[] => {
  const liveNames = indexNames(live);
  return [
    `drop table if exists ${live.sqlName}`,
    `alter table ${next.sqlName} rename to ${quoted(live.bareName)}`,
    ...indexNames(next).map((name, index) => `alter index read.${quoted(name)} rename to ${quoted(liveNames[index] ?? '')}`),
  ];
};
