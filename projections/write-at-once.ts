import type pg from 'pg';

import type { Recorded } from '#domain/event-store.ts';

import type { Changes } from './changes.ts';
import { movingIfFree, type Held } from './checkpoint.ts';
import type { Fold } from './fold.ts';
import { identityOf } from './rewound.ts';
import { writings } from './rows.ts';
import type { Slot } from './slot.ts';

const kindOf = ({ fresh, put, gone }: Changes): string => `${fresh.length + put.length > 0 ? 'put' : ''}${gone.length > 0 ? 'del' : ''}`;

/**
 * Writes what was folded up to this event by one statement, which moves the checkpoint and writes the rows or does neither: what it costs
 * to keep up with a busy shop. What the fold has read before cannot have changed when the checkpoint is as `held` says, since whoever
 * changes rows changes that too. Undefined when the checkpoint is not, or is locked at this moment: then nothing was written.
 */
export const writeAtOnce = async (client: pg.ClientBase, slot: Slot, held: Held, fold: Fold, last: Recorded): Promise<Held | undefined> => {
  const tables = slot.tables.map((table) => ({ table, changes: fold.changes(table.name) }));
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const place = { position: last.position, eventId: identityOf(last) };
  const { move, tell } = movingIfFree(slot, held, { ...place, unknown: fold.unknown }, parameter);
  const writes = tables
    .flatMap(({ table, changes }) => writings(table, changes, 'exists (select from moved)'))
    .map((textWith, index) => `write_${index} as (${textWith(parameter)})`);
  // By the texts that there are: of a read model a few, each of them planned once.
  const name = `write ${slot.projector.name} ${slot.projector.version} ${slot.name} ${tables.map(({ changes }) => kindOf(changes)).join()}`;
  const { rowCount } = await client.query({ name, text: `with ${[...move, ...writes].join(', ')} ${tell}`, values });
  return rowCount === 1 ? { ...held, ...place } : undefined;
};
