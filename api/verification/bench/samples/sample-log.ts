import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { logPosition, NO_STREAM, type StreamHead, type StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import { eventCodec } from '../../../event-store/codec/codec.ts';
import { wrapKey, type KeyEncryptionKey } from '../../../event-store/encryption/key-encryption.ts';
import { openKeyring, type KeyConfig } from '../../../event-store/encryption/keyring.ts';
import { schemas } from '../../../event-store/codec/schemas.ts';
import { rolledHash } from '../../../event-store/chain.ts';
import type { SealedEvent } from '../../../event-store/stored-event.ts';
import type { SubjectKeys } from '../../../event-store/encryption/subject-keys.ts';
import { memorySubjectKeys } from '../../../event-store/testing/memory-subject-keys.ts';
import { sampleOrderEvents, sampleOrderId, type Trade } from './sampled-orders.ts';
import { sampleProduct, sampleProductAdded } from './sample-products.ts';

/** The number of products, and of orders, with five events each. */
type SampleHistory = Trade & { readonly orders: number };

type Happening = { readonly stream: StreamName; readonly event: DomainEvent; readonly at: Instant };

const DAY = 86_400_000;
const SPAN = 90 * DAY;

/** Each event of a stream comes this many moments after the first one. Events of other streams are between them. */
const STEPS = [0, 50, 2_000, 4_000, 6_000] as const;

/** At each moment one of `count` streams begins and others continue. All moments are within `SPAN`, which ends now. */
function* overlapping(count: number, happens: readonly ((which: number, at: Instant) => Omit<Happening, 'at'>)[]): Generator<Happening> {
  const moments = count === 0 ? 0 : count + (STEPS[happens.length - 1] ?? 0);
  const began = Date.now() - SPAN;
  for (let moment = 0; moment < moments; moment++) {
    const at = instant(new Date(began + (moment * SPAN) / moments).toISOString());
    for (const [step, happen] of happens.entries()) {
      const which = moment - (STEPS[step] ?? 0);
      if (which >= 0 && which < count) yield { ...happen(which, at), at };
    }
  }
}

const productHappenings = ({ products }: SampleHistory): Generator<Happening> =>
  overlapping(products, [(product, at) => ({ stream: `product-${sampleProduct(product).id}`, event: sampleProductAdded(product, at) })]);

const orderHappenings = (history: SampleHistory): Generator<Happening> =>
  overlapping(
    history.orders,
    sampleOrderEvents.map((eventOf) => (order, at) => ({ stream: `order-${sampleOrderId(order)}`, event: eventOf(order, history, at) })),
  );

/** Encodes events as the store does, in the order of the log. */
async function* sealed(happenings: Iterable<Happening>, keys: SubjectKeys): AsyncGenerator<SealedEvent> {
  let now: Instant = instant(new Date().toISOString());
  const codec = eventCodec({ schemas, keys, now: () => now });
  const heads = new Map<StreamName, StreamHead>();
  for (const { stream, event, at } of happenings) {
    now = at;
    const commandId = crypto.randomUUID();
    const actor = { kind: 'user' as const, id: commandId };
    const command = { commandId, correlationId: commandId, causationId: commandId, actor };
    const { events, head } = await codec.seal(stream, heads.get(stream) ?? NO_STREAM, [event], command);
    heads.set(stream, head);
    yield* events;
  }
}

const CHUNK = 1 << 18;

async function* copyText(events: AsyncIterable<SealedEvent>, after: { position: string; rolled: string }): AsyncGenerator<string> {
  let chunk = '';
  let position = logPosition(BigInt(after.position));
  let { rolled } = after;
  for await (const event of events) {
    const { stream, revision, eventId, type, data, metadata } = event;
    position = logPosition(position + 1n);
    rolled = rolledHash(rolled, { ...event, position });
    chunk += `${position}\t${stream}\t${revision}\t${eventId}\t${type}\t${data.replaceAll('\\', '\\\\')}\t${metadata}\t\\\\x${rolled}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

const keepKeys = async (client: pg.Client, keys: SubjectKeys, { shoppers }: SampleHistory, current: KeyEncryptionKey): Promise<void> => {
  const made = [...(await keys.keysOf(shoppers))];
  await client.query(
    'insert into shop.subject_keys (subject, key, wrapped_by) select subject, key, $3 from unnest($1::text[], $2::bytea[]) as made (subject, key)',
    [made.map(([subject]) => subject), made.map(([subject, { bytes }]) => wrapKey(current, subject, bytes)), current.id],
  );
};

/** Marks all events as handled, so that no mails are sent about them. */
const REACTED = `update shop.reactions set (position, event_id, stream, revision) =
  (select position, event_id::text, stream, revision from log.events order by position desc limit 1)`;

/** Writes a history with its keys to the end of a log, much faster than appends would. Read models must be built from it. */
export const writeHistory = async (connectionString: string, history: SampleHistory, keyConfig: KeyConfig): Promise<void> => {
  const pool = new pg.Pool({ connectionString, max: 1 });
  const keyring = await openKeyring(pool, keyConfig).finally(() => pool.end());
  const client = new pg.Client({ connectionString });
  await client.connect();
  const keys = memorySubjectKeys();
  try {
    const columns = 'position, stream, revision, event_id, type, data, metadata, rolling_hash';
    for (const happenings of [productHappenings(history), orderHappenings(history)]) {
      const { rows } = await client.query<{ position: string; rolled: string }>(
        `select position, encode(rolling_hash, 'hex') as rolled from log.head`,
      );
      const text = copyText(sealed(happenings, keys), rows[0] ?? { position: '0', rolled: '' });
      await pipeline(Readable.from(text), client.query(copyFrom(`copy log.events (${columns}) from stdin`)));
      await client.query(
        `update log.head set (position, rolling_hash) = (select position, rolling_hash from log.events order by position desc limit 1)
         where exists (select from log.events)`,
      );
    }
    await keepKeys(client, keys, history, keyring.current());
    await client.query(REACTED);
    await client.query('analyze log.events');
  } finally {
    await client.end();
  }
};
