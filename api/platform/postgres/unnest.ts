import { type AliasedRawBuilder, sql } from 'kysely';

import type { Given } from './prepare.ts';

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
