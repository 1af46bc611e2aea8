/** A row of any table; its columns are those of the table's definition. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** What is to be written of a table. `sums` are put, that is added to what stands there. */
export type Changes = {
  /** Rows of which the table is known to hold none yet. */
  readonly fresh: readonly AnyRow[];
  readonly put: readonly AnyRow[];
  readonly gone: readonly string[];
  /** Further rows of the first kind, as lines of a COPY. */
  readonly lines?: readonly Buffer[];
};

/** About what a value takes in memory beside its own slot, in bytes. */
const weightIn = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let weight = 32;
  for (const part in value) weight += 8 + weightIn((value as AnyRow)[part]);
  return weight;
};

/** What it takes to find a row. */
const ENTRY = 96;

/** About what a row takes in memory, in bytes. */
export const weightOf = (row: AnyRow | undefined): number => ENTRY + weightIn(row);
