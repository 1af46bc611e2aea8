import type { Recorded, StreamName } from '#domain/event-store.ts';

import type { ReadDatabase } from './database.ts';
import { Fold } from './fold.ts';
import { streamId, type Projector } from './projector.ts';
import { quoted, slotOf, type SlotTable } from './slot.ts';
import type { AnyRow } from './storage.ts';

/** A field that is not what the log makes of it. Both as JSON; `undefined` where there is none. */
export type FieldDifference = {
  readonly model: string;
  /** `orders_desk.standing.status`: table, column, and within a column of JSON the way down. */
  readonly field: string;
  readonly inLog: unknown;
  readonly inTable: unknown;
};
export type StreamVerified = { readonly compared: number; readonly differences: readonly FieldDifference[] };

type Fields = Map<string, unknown>;

/** Every leaf of a value by the way to it. What is empty is a leaf too. */
const collect = (fields: Fields, field: string, value: unknown): void => {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0) fields.set(field, value);
  for (const [name, part] of parts) collect(fields, `${field}.${name}`, part);
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Somebody wrote something else into the table, which is then the difference.
  }
};

const fieldsOf = ({ name, columns }: SlotTable, row: AnyRow | undefined): Fields => {
  const fields: Fields = new Map();
  if (!row) return fields;
  for (const column of columns) {
    const value = row[column.name] ?? null;
    collect(fields, `${name}.${column.name}`, column.kind === 'json' && typeof value === 'string' ? jsonIn(value) : value);
  }
  return fields;
};

const compare = (model: string, inLog: Fields, inTable: Fields): StreamVerified => {
  const fields = [...new Set([...inLog.keys(), ...inTable.keys()])];
  const differing = fields.filter((field) => JSON.stringify(inLog.get(field)) !== JSON.stringify(inTable.get(field)));
  const differences = differing.map((field) => ({ model, field, inLog: inLog.get(field), inTable: inTable.get(field) }));
  return { compared: fields.length, differences };
};

/** What cannot be applied ends it: a worker parks that event with all that follow in its stream. */
const foldStream = (projector: Projector, events: readonly Recorded[]): Fold => {
  const fold = new Fold(projector);
  // Of what the events read there is nothing before the first of them.
  fold.learn(fold.unknownKeys(events), new Map());
  for (const event of events) {
    try {
      fold.apply(event);
    } catch {
      return fold;
    }
  }
  return fold;
};

const rowIn = (fold: Fold, { name, spec }: SlotTable, key: string): AnyRow | undefined => {
  return fold.changes(name).put.find((row) => row[spec.key] === key);
};

/**
 * Folds one stream from its first event and compares what comes of it with the rows under the stream's id, field by field. For
 * read models that keep a row a stream. All rows are read in one statement, hence as they stood at one moment.
 */
export const verifyStream = async (
  projector: Projector,
  stream: StreamName,
  events: readonly Recorded[],
  { pool }: Pick<ReadDatabase, 'pool'>,
): Promise<StreamVerified> => {
  const tables = slotOf(projector, 'live').tables.filter(({ spec }) => spec.kind === 'rows');
  const key = streamId(stream);
  const fold = foldStream(projector, events);
  const live = await liveRows(pool, tables, key);
  let compared = 0;
  const differences: FieldDifference[] = [];
  for (const [index, table] of tables.entries()) {
    const found = compare(projector.name, fieldsOf(table, rowIn(fold, table, key)), fieldsOf(table, live[index]));
    compared += found.compared;
    differences.push(...found.differences);
  }
  return { compared, differences };
};

/** The row of each table with this key, in the order of the tables. */
const liveRows = async (pool: ReadDatabase['pool'], tables: readonly SlotTable[], key: string): Promise<(AnyRow | undefined)[]> => {
  const columns = tables.flatMap(({ columns: each }, index) => each.map(({ name }) => `t${index}.${quoted(name)}`));
  const joins = tables.map(
    ({ sqlName, spec, keyType }, index) => `left join ${sqlName} t${index} on t${index}.${quoted(spec.key)} = wanted.key::${keyType}`,
  );
  const text = `select ${columns.join(', ')} from (values ($1::text)) wanted (key) ${joins.join(' ')}`;
  const { rows } = await pool.query<unknown[]>({ text, values: [key], rowMode: 'array' });
  let at = 0;
  return tables.map(({ columns: each, spec }) => {
    const values = rows[0]?.slice(at, (at += each.length)) ?? [];
    const row = Object.fromEntries(each.map(({ name }, index) => [name, values[index]]));
    return row[spec.key] === null ? undefined : row;
  });
};
