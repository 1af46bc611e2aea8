import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { NO_STREAM, type StreamHead, type StreamName } from '#domain/event-store.ts';

import type { SealedEvent } from '../event-store/stored-event.ts';
import { benchCodec, STEPS } from './projections-orders.ts';

/** Orders that are under way at the same time: so far apart stand the events of one order in the log. */
const UNDER_WAY = 2_000;

export const benchStream = (order: number): StreamName => `order-00000000-0000-4000-8000-${String(order).padStart(12, '0')}`;

/** Sealed as the store would have sealed them, in the order in which a busy shop would have appended them. */
async function* sealedEvents(orders: number): AsyncGenerator<SealedEvent> {
  const codec = benchCodec();
  const heads = new Map<number, StreamHead>();
  const last = orders - 1 + (STEPS.length - 1) * UNDER_WAY;
  for (let moment = 0; moment <= last; moment++) {
    for (const [step, eventOf] of STEPS.entries()) {
      const order = moment - step * UNDER_WAY;
      if (order < 0 || order >= orders) continue;
      const commandId = crypto.randomUUID();
      const actor = { kind: 'user' as const, id: `shopper-${order % 9_000}` };
      const command = { commandId, correlationId: commandId, causationId: commandId, actor };
      const sealed = await codec.seal(benchStream(order), heads.get(order) ?? NO_STREAM, [eventOf(order)], command);
      heads.set(order, sealed.head);
      yield* sealed.events;
    }
  }
}

const CHUNK = 1 << 18;

async function* copyText(events: AsyncIterable<SealedEvent>): AsyncGenerator<string> {
  let chunk = '';
  let position = 0;
  for await (const { stream, revision, eventId, type, data, metadata } of events) {
    position += 1;
    chunk += `${position}\t${stream}\t${revision}\t${eventId}\t${type}\t${data.replaceAll('\\', '\\\\')}\t${metadata}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Fills an empty log with the events of so many orders, much faster than they could be appended. Answers with their mean size in bytes. */
export const fillLog = async (connectionString: string, orders: number): Promise<number> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const columns = 'position, stream, revision, event_id, type, data, metadata';
    await pipeline(Readable.from(copyText(sealedEvents(orders))), client.query(copyFrom(`copy log.events (${columns}) from stdin`)));
    await client.query('update log.head set position = (select max(position) from log.events)');
    await client.query('vacuum analyze log.events');
    const size = 'octet_length(data::text) + octet_length(metadata::text) + octet_length(stream) + octet_length(type)';
    const { rows } = await client.query<{ size: number }>(`select avg(${size})::float8 as size from log.events`);
    return rows[0]?.size ?? 0;
  } finally {
    await client.end();
  }
};
