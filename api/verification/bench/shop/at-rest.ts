import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const lastOf = (category: string): string =>
  `(select coalesce(max(position), 0) from log.events where split_part(stream, '-', 1) = '${category}')`;

/** All mails are sent, and reactions and read models of orders and payments have reached their last event. */
const AT_REST = `with newest as (select ${lastOf('order')} as position, ${lastOf('payment')} as paid)
  select not exists (select from shop.outbox where state = 'waiting')
    and not exists (
      select from shop.reactions, newest
      where name not in ('payment-mails', 'restock-notices') and reactions.position < newest.position
        or name in ('payment-mails', 'settle-payments') and reactions.position < newest.paid
    )
    and not exists (
      select from read.checkpoints, newest where slot = 'live' and model not in ('catalogue', 'papers') and checkpoints.position < newest.position
    ) as rests`;

/** In ms. */
const TIMEOUT_MS = 300_000;
/** In ms: short beside the seconds that are measured. */
const LOOK_EVERY = 20;

/** Waits until all work caused by earlier orders is done, above all mails. */
export const atRest = async (pool: pg.Pool): Promise<void> => {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await pool.query<{ rests: boolean }>(AT_REST)).rows[0]?.rests) {
    if (performance.now() > end) throw new Error('The work caused by earlier orders is not done in time');
    await pause(LOOK_EVERY);
  }
};
