import type { Recorded } from '#domain/event-store.ts';
import { Superseded } from '#projections/failures.ts';
import { Fold } from '#projections/fold.ts';
import { identityOf } from '#projections/rewound.ts';
import type { Projector, TableSpec } from '#projections/projector.ts';
import type { AnyRow } from '#projections/storage.ts';

import type { Life } from './scheduler.ts';
import type { Parts } from './api-process.ts';
import type { World } from './world.ts';
import { isSame, type Model, type Place } from './tables.ts';

export type Following = { readonly world: World; readonly life: Life; readonly parts: Parts };

const placeOf = (events: readonly Recorded[], before: Place): Place => {
  const last = events.at(-1);
  return last ? { position: last.position, eventId: identityOf(last) } : before;
};

/** A row as a table keeps it: its columns, and nothing that a handler may hang on to it. */
const stored = (row: AnyRow, { columns }: TableSpec): AnyRow =>
  Object.fromEntries(Object.keys(columns).map((column) => [column, row[column] ?? null]));

const added = (row: AnyRow, before: AnyRow | undefined, { key }: TableSpec): AnyRow =>
  before === undefined
    ? row
    : Object.fromEntries(Object.entries(row).map(([name, value]) => [name, name === key ? value : Number(before[name]) + Number(value)]));

/** The rows that these have become: by the fold of the workers, out of rows as they are kept. */
export const rowsAfter = (projector: Projector, rows: Model['rows'], events: readonly Recorded[]): Model['rows'] => {
  const fold = new Fold(projector);
  const keys = fold.unknownKeys(events);
  const known = new Map<string, readonly AnyRow[]>();
  for (const [name, wanted] of keys)
    known.set(
      name,
      wanted.map((key) => rows.get(name)?.get(key)).filter((row) => row !== undefined),
    );
  fold.learn(keys, known);
  for (const event of events) fold.apply(event);
  return new Map(
    Object.entries(projector.tables).map(([name, spec]) => {
      const table = new Map(rows.get(name));
      const { put, gone } = fold.changes(name);
      for (const row of put) {
        const key = String(row[spec.key]);
        const now = stored(row, spec);
        table.set(key, spec.kind === 'sums' ? added(now, table.get(key), spec) : now);
      }
      for (const key of gone) table.delete(key);
      return [name, table];
    }),
  );
};

/** Writes rows and checkpoint, if the checkpoint stands where it was believed to: in one transaction, which is one moment here. */
const writeModel = async ({ world, parts }: Following, projector: Projector, held: Place, events: readonly Recorded[]): Promise<Place> => {
  const { tables } = world;
  const { name } = projector;
  const place = placeOf(events, held);
  const write = (changes: (now: Model) => Model): void => {
    const now = tables.model(name);
    if (!isSame(now.place, held)) throw new Superseded(name);
    tables.models.set(name, changes(now));
  };
  await parts.at.wire(`write ${name} up to ${place.position}`, () =>
    write(({ rows }) => ({ rows: rowsAfter(projector, rows, events), place })),
  );
  return place;
};

export const keepModel = async (following: Following, projector: Projector): Promise<void> => {
  const { world, life, parts } = following;
  for (;;) {
    try {
      let held = await parts.at.wire(`read the checkpoint of ${projector.name}`, () => world.tables.model(projector.name).place);
      const { signal } = new AbortController();
      for await (const page of parts.store.follow(held.position, projector.categories, signal))
        held = await writeModel(following, projector, held, page);
    } catch {
      await world.scheduler.turn(life, `${projector.name} begins anew`, 50);
    }
  }
};
