import { RefusedValues } from '../follower/failures.ts';
import { isAdded } from '../engine/define-projector.ts';
import { quoteIdentifier, type TableSet, type StoredColumn, type StoredTable } from '../engine/table-set.ts';
import type { AnyRow, RowChanges } from '../engine/read-model-storage.ts';

/** Adds a value to the statement and returns its placeholder: `$1`, `$2`, … */
export type Parameter = (value: unknown) => string;

const columnList = (table: StoredTable): string => table.columns.map(({ name }) => quoteIdentifier(name)).join(', ');

/** Returns SQL that selects rows by their keys, which are its only parameter. */
export const selectRows = (table: StoredTable): string =>
  `select ${columnList(table)} from ${table.sqlName} where ${quoteIdentifier(table.spec.key)} = any($1)`;

/** Returns the value of a column. Throws `RefusedValues` if the row's getter throws, because rows may compute their texts only here. */
const columnValue = (row: AnyRow, column: string): unknown => {
  try {
    return row[column] ?? null;
  } catch (error) {
    throw new RefusedValues(error);
  }
};

/**
 * The values of a column as a set of rows. JSON values are sent as one JSON array, which Postgres reads five times as fast as a `json[]`,
 * which quotes each of them again.
 */
const rowsOf = ({ kind, type }: StoredColumn, values: readonly unknown[], parameter: Parameter): string =>
  kind === 'json'
    ? `json_array_elements(${parameter(`[${values.map((value) => value ?? 'null').join(',')}]`)}::json)`
    : `unnest(${parameter(values)}::${type}[])`;

/** JSON is stored as text, since Postgres would parse it again, and a null as none. */
const selected = ({ name, kind }: StoredColumn): string =>
  kind === 'json' ? `nullif(${quoteIdentifier(name)}::text, 'null')` : quoteIdentifier(name);

/** Returns the `on conflict` clause: `rows` are replaced, and `sums` are added. */
const onConflict = (table: StoredTable): string => {
  const { spec } = table;
  const target = quoteIdentifier(table.bareName);
  const assignments = table.columns
    .filter(({ name }) => (spec.kind === 'sums' ? isAdded(spec, name) : name !== spec.key))
    .map(
      ({ name }) =>
        `${quoteIdentifier(name)} = ${spec.kind === 'sums' ? `${target}.${quoteIdentifier(name)} + ` : ''}excluded.${quoteIdentifier(name)}`,
    );
  return `on conflict (${quoteIdentifier(spec.key)}) do ${assignments.length > 0 ? `update set ${assignments.join(', ')}` : 'nothing'}`;
};

/** Returns statements that write if `condition` is true: at most one insert and one delete, with an array for each column. */
export const writeStatements = (
  table: StoredTable,
  { upserts: put, deletes: gone }: RowChanges,
  parameter: Parameter,
  condition: string,
): readonly string[] => {
  const statements: string[] = [];
  if (put.length > 0) {
    const columns = table.columns.map((column) =>
      rowsOf(
        column,
        put.map((row) => columnValue(row, column.name)),
        parameter,
      ),
    );
    const values = `select ${table.columns.map(selected).join(', ')}
      from rows from (${columns.join(', ')}) as given (${columnList(table)}) where ${condition}`;
    statements.push(`insert into ${table.sqlName} (${columnList(table)}) ${values} ${onConflict(table)}`);
  }
  if (gone.length > 0) {
    const keys = `any(${parameter(gone)}::${table.keyType}[])`;
    statements.push(`delete from ${table.sqlName} where ${quoteIdentifier(table.spec.key)} = ${keys} and ${condition}`);
  }
  return statements;
};

/** Returns SQL that creates a table with its primary key. Indexes come later, because they are built faster once the rows are there. */
export const createTable = ({ sqlName, columns, spec }: StoredTable, { isDiscarded = false }: TableSet): string => {
  const definitions = columns.map(({ name, kind, type }) => {
    // Keys are only compared, and byte order is the fastest comparison.
    const collation = name === spec.key && kind === 'text' ? ' collate "C"' : '';
    return `${quoteIdentifier(name)} ${type}${collation}`;
  });
  return `create ${isDiscarded ? 'unlogged ' : ''}table ${sqlName} (${definitions.join(', ')}, primary key (${quoteIdentifier(spec.key)}))`;
};

/** Returns SQL to run after the rows are written: indexes, which Postgres names itself, and statistics for the planner. */
export const completeTable = ({ sqlName, spec }: StoredTable, { isDiscarded = false }: TableSet): string[] => [
  ...(isDiscarded ? [] : (spec.indexes ?? [])).map((definition) => `create index on ${sqlName} ${definition}`),
  `analyze ${sqlName}`,
];

export const renameTable = (next: StoredTable, live: StoredTable): string[] => [
  `drop table if exists ${live.sqlName}`,
  `alter table ${next.sqlName} rename to ${quoteIdentifier(live.bareName)}`,
];
