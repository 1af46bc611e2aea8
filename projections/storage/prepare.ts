import { type AliasedRawBuilder, type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';

import { UNNAMED } from './connections.ts';

/** Stands for a value of the statement, which each call takes or reads from its argument. */
export type Given<Values> = {
  <Name extends keyof Values>(name: Name): RawBuilder<Exclude<Values[Name], undefined>>;
  <Value>(read: (values: Values) => Value): RawBuilder<Exclude<Value, undefined>>;
};

/** Says which optional values a call has: the statement is built once for each set of them. */
export type Present<Values> = { readonly [Name in keyof Values]?: boolean };

const listPresent = (values: object): string[] =>
  Array.isArray(values) ? [] : Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : name));

class Parameter {
  constructor(readonly read: (values: never) => unknown) {}
}

/**
 * Compiles a statement at its first call only. Optimisation for statements of nearly every request: Kysely takes 200 µs to build and
 * compile the query for sessions, and 700 µs for claims of Idempotency-Keys, which is longer than Postgres takes to answer.
 */
export const prepare = <Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, given: Given<Values>, has: Present<Values>) => Compilable<Row>,
): ((db: Kysely<Tables>, values: Values) => Promise<Row[]>) => {
  const given: Given<Values> = <Value>(of: keyof Values | ((values: Values) => Value)) =>
    sql<Value>`${new Parameter(typeof of === 'function' ? of : (values: Values) => values[of])}`;
  const known = new Map<string, CompiledQuery<Row>>();
  const compile = (db: Kysely<Tables>, values: Values): CompiledQuery<Row> => {
    const present = listPresent(values);
    const key = present.join(' ');
    const compiled =
      known.get(key) ?? build(db, given, Object.fromEntries(present.map((name) => [name, true])) as Present<Values>).compile();
    known.set(key, compiled);
    return compiled;
  };
  return async (db, values) => {
    const compiled = compile(db, values);
    // The cast is safe: only `given` makes parameters.
    const parameters = compiled.parameters.map((each) => (each instanceof Parameter ? each.read(values as never) : each));
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
};

/** At the front of a query (`modifyFront`) this lets Postgres plan it for its values each time: some are rare, and others are in most rows. */
export const unnamed = sql`${sql.raw(UNNAMED)}`;

type ColumnType = 'bigint' | 'bytea' | 'text' | 'timestamptz' | 'uuid';

/**
 * Returns the columns in `types` of these rows as a table with the name `alias`; its column `place` counts the rows from 1. Each column is
 * sent as one array, so that the statement has the same text for any number of rows.
 */
export const unnest = <Row extends object, Name extends keyof Row & string, Alias extends string>(
  alias: Alias,
  rows: readonly Row[] | Given<readonly Row[]>,
  types: Readonly<Record<Name, ColumnType>>,
): AliasedRawBuilder<Pick<Row, Name> & { readonly place: string }, Alias> => {
  const names = Object.keys(types) as Name[];
  const arrays = names.map((name) => {
    const column = (each: readonly Row[]) => each.map((row) => row[name]);
    return sql`${typeof rows === 'function' ? rows(column) : column(rows)}::${sql.raw(types[name])}[]`;
  });
  const columns = [...names, 'place'].map((name) => sql.ref(name));
  const table = sql<Pick<Row, Name> & { readonly place: string }>`unnest(${sql.join(arrays)}) with ordinality`;
  return table.as<Alias>(sql`${sql.ref(alias)} (${sql.join(columns)})`);
};

/** Compares with any value of a list, which is sent as one array, so that the statement has the same text for any number of values. */
export const anyOf = <Value>(values: readonly Value[] | RawBuilder<readonly Value[]>): RawBuilder<Value> => sql<Value>`any(${values})`;

/** Returns a `like` pattern for texts that contain this one, without NUL, which Postgres refuses. */
export const containing = (text: string): string => `%${text.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&')}%`;
