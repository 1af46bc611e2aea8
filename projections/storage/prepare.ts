import { type AliasedRawBuilder, type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';

/** Stands for a value of the statement, which each call takes or reads from its argument. */
export type Given<Values> = {
  <Name extends keyof Values>(name: Name): RawBuilder<Values[Name]>;
  <Value>(read: (values: Values) => Value): RawBuilder<Value>;
};

class Parameter {
  constructor(readonly read: (values: never) => unknown) {}
}

/**
 * Compiles a statement at its first call only. Optimisation for statements of nearly every request: Kysely takes 200 µs to build and
 * compile the query for sessions, and 700 µs for claims of Idempotency-Keys, which is longer than Postgres takes to answer.
 */
export const prepare = <Tables, Values, Row>(
  build: (db: Kysely<Tables>, given: Given<Values>) => Compilable<Row>,
): ((db: Kysely<Tables>, values: Values) => Promise<Row[]>) => {
  const given: Given<Values> = <Value>(of: keyof Values | ((values: Values) => Value)) =>
    sql<Value>`${new Parameter(typeof of === 'function' ? of : (values: Values) => values[of])}`;
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= build(db, given).compile();
    // The cast is safe: only `given` makes parameters.
    const parameters = compiled.parameters.map((each) => (each instanceof Parameter ? each.read(values as never) : each));
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
};

/** Runs a query without a name, so that Postgres plans it for its values: some are rare, and others are in most rows. */
export const queryUnnamed = async <Row extends object>(pool: pg.Pool, query: Compilable<Row>): Promise<Row[]> => {
  const { sql: text, parameters } = query.compile();
  return (await pool.query<Row>({ text, values: [...parameters] })).rows;
};

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

/** Returns a `like` pattern for texts that contain this one. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
