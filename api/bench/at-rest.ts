import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const AT_REST = `select not exists (select from shop.outbox where state = 'waiting') and (select min(position) from shop.reactions) >=
  coalesce((select max(position) from log.events where split_part(stream, '-', 1) = 'order'), 0) as rests`;

/** How long what earlier orders have set off may take, in ms. */
const PATIENCE = 300_000;

/** Waits until all that the orders before have set off is done, mails above all: it would slow down what is measured next. */
export const atRest = async (pool: pg.Pool): Promise<void> => {
  const end = performance.now() + PATIENCE;
  while (!(await pool.query<{ rests: boolean }>(AT_REST)).rows[0]?.rests) {
    if (performance.now() > end) throw new Error('What earlier orders have set off is still under way');
    await pause(50);
  }
};
