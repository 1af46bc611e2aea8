import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import type { AnyRow, Changes } from './changes.ts';
import { COPY_END, COPY_HEAD, copyPieces } from './copy-tuples.ts';
import { RowWithoutValues } from './failures.ts';
import { quoted, type SlotColumn, type SlotTable } from './slot.ts';

const columnList = (table: SlotTable): string => table.columns.map(({ name }) => quoted(name)).join(', ');

/** The rows of these keys that the table has. */
export const loadRows = async (client: pg.ClientBase, table: SlotTable, keys: readonly string[]): Promise<AnyRow[]> => {
  const text = `select ${columnList(table)} from ${table.sqlName} where ${quoted(table.spec.key)} = any($1)`;
  const { rows } = await client.query<AnyRow>({ name: `load ${table.bareName}`, text, values: [keys] });
  return rows;
};

/** How a row that is there already takes the new one: `rows` are replaced, `sums` added to. */
const onConflict = (table: SlotTable): string => {
  const { key, kind } = table.spec;
  const target = quoted(table.bareName);
  const assignments = table.columns
    .filter(({ name }) => name !== key)
    .map(({ name }) => `${quoted(name)} = ${kind === 'sums' ? `${target}.${quoted(name)} + ` : ''}excluded.${quoted(name)}`);
  return `on conflict (${quoted(key)}) do ${assignments.length > 0 ? `update set ${assignments.join(', ')}` : 'nothing'}`;
};

/** What stands in a column of a row. Throws `RowWithoutValues`. */
const valueIn = ({ bareName }: SlotTable, row: AnyRow, column: string): unknown => {
  try {
    return row[column];
  } catch (error) {
    throw new RowWithoutValues(bareName, error);
  }
};

/** Takes a value of a statement; answers with how its text refers to it, `$1`, `$2`, … */
type Parameter = (value: unknown) => string;

/** The control character that parts texts of JSON, which escape it. */
const SEPARATOR = '\x1e';

/** Values of a column as one array. Quoted once more, as an array has its texts, JSON would be twice the work on both sides. */
const arrayOf = ({ kind, type }: SlotColumn, values: readonly unknown[], parameter: Parameter): string => {
  if (kind !== 'json') return `${parameter(values)}::${type}[]`;
  // What is null is empty, which no JSON is. Of nothing but one of these Postgres makes no array, and `unnest` a null of that.
  return `string_to_array(${parameter(values.map((value) => value ?? '').join(SEPARATOR))}, E'\\x1e', '')`;
};

/** Rows put where `condition` holds: one statement, or part of one, however many rows. Each column travels as one array. */
const putting = (table: SlotTable, rows: readonly AnyRow[], parameter: Parameter, condition: string): string => {
  const valuesOf = (name: string): unknown[] => rows.map((row) => valueIn(table, row, name) ?? null);
  const arrays = table.columns.map((column) => arrayOf(column, valuesOf(column.name), parameter));
  const values = `select * from unnest(${arrays.join(', ')}) where ${condition}`;
  return `insert into ${table.sqlName} (${columnList(table)}) ${values} ${onConflict(table)}`;
};

const deleting = (table: SlotTable, keys: readonly string[], parameter: Parameter, condition: string): string =>
  `delete from ${table.sqlName} where ${quoted(table.spec.key)} = any(${parameter(keys)}::${table.keyType}[]) and ${condition}`;

/** What has to be done to a table for a batch: nothing, a statement or two. */
export const writings = (
  table: SlotTable,
  { fresh, put, gone }: Changes,
  condition = 'true',
): readonly ((parameter: Parameter) => string)[] => {
  const rows = fresh.length === 0 ? put : [...fresh, ...put];
  return [
    ...(rows.length > 0 ? [(parameter: Parameter) => putting(table, rows, parameter, condition)] : []),
    ...(gone.length > 0 ? [(parameter: Parameter) => deleting(table, gone, parameter, condition)] : []),
  ];
};

/** Writes what a batch changed in a table that has its key. */
export const writeChanges = async (client: pg.ClientBase, table: SlotTable, changes: Changes): Promise<void> => {
  for (const textWith of writings(table, changes)) {
    const values: unknown[] = [];
    await client.query(
      textWith((value) => `$${values.push(value)}`),
      values,
    );
  }
};

/** Streams rows, and tuples of rows, into a table in which none of their keys stands yet. */
export const copyRows = async (
  client: pg.ClientBase,
  table: SlotTable,
  rows: readonly AnyRow[],
  tuples: readonly Buffer[] = [],
): Promise<void> => {
  if (rows.length + tuples.length === 0) return;
  const into = client.query(copyFrom(`copy ${table.sqlName} (${columnList(table)}) from stdin (format binary)`));
  const pieces = function* (): Generator<Buffer> {
    yield COPY_HEAD;
    yield* tuples;
    yield* copyPieces(table.bareName, table.columns, rows);
    yield COPY_END;
  };
  await pipeline(Readable.from(pieces()), into);
};
