/** A row of any table; its columns are those of the table's definition. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** What is to be written of a table. `sums` are put, that is added to what stands there. */
export type Changes = {
  /** Rows of which the table is known to hold none yet. */
  readonly fresh: readonly AnyRow[];
  readonly put: readonly AnyRow[];
  readonly gone: readonly string[];
  /** Further rows of the first kind, as tuples of a binary COPY. */
  readonly tuples?: readonly Buffer[];
};

/** Where a row tells about what it takes in memory, in bytes, if it has more than texts and small objects. */
export const WEIGHT = Symbol('weight');

/** About what an object in a row takes: a small one. */
const OBJECT = 512;

/** About what a row takes in memory, in bytes: its texts and objects, and a slot for each column. */
export const weightOf = (row: (AnyRow & { readonly [WEIGHT]?: number }) | undefined): number => {
  const told = row?.[WEIGHT];
  if (told !== undefined) return told;
  let weight = 96;
  for (const column in row) {
    const value = row[column];
    weight += 16;
    if (typeof value === 'string') weight += value.length;
    else if (typeof value === 'object' && value !== null) weight += OBJECT;
  }
  return weight;
};
