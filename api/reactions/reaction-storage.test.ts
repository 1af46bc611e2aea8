import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { logPosition, START, type StreamName } from '#domain/event-store.ts';
import { Superseded } from '#projections/follower/failures.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';
import { LEASE_MS } from '#projections/follower/lease.ts';

import type { CausedMail } from '../mail/outbox.ts';
import { memoryReactions } from './memory-reaction-storage.ts';
import { postgresReactions } from './postgres-reaction-storage.ts';
import type { LeasedReaction, Postponement, ReactionKey, ReactionStorage } from './reaction-storage.ts';
import { openFollowedShop, type FollowedShop } from './testing/following.ts';

type Stored = {
  /** Sets the clock of the storage back by a day. */
  setClockBack(): Promise<void>;
  readonly storage: ReactionStorage;
  causes(): Promise<readonly string[]>;
  /** Makes leases expire, and postponed events due. */
  letTimePass(): Promise<void>;
};

let shop: FollowedShop;
beforeAll(async () => {
  shop = await openFollowedShop();
});
afterAll(() => shop.close());

const inPostgres = async (): Promise<Stored> => {
  const { db, outbox } = shop;
  for (const table of ['postponed_reactions', 'reactions', 'outbox'] as const) await db.deleteFrom(table).execute();
  const past = new Date(0);
  return {
    storage: postgresReactions(db, outbox),
    causes: async () => (await shop.mails()).map(({ cause }) => cause),
    // Nobody may set the clock of a database: its times are moved ahead instead.
    setClockBack: async () => {
      await sql`update shop.reactions set held_until = held_until + interval '1 day'`.execute(db);
      await sql`update shop.postponed_reactions set next_attempt_at = next_attempt_at + interval '1 day'`.execute(db);
    },
    letTimePass: async () => {
      await db.updateTable('reactions').set({ held_until: past }).execute();
      await db.updateTable('postponed_reactions').set({ next_attempt_at: past }).execute();
    },
  };
};

const inMemory = async (): Promise<Stored> => {
  let now = 100_000_000_000;
  const storage = memoryReactions(() => now);
  return {
    storage,
    causes: async () => storage.mails.map(({ cause }) => cause),
    setClockBack: async () => void (now -= 86_400_000),
    letTimePass: async () => void (now += 100 * LEASE_MS),
  };
};

const stream = (number: number): StreamName => `order-${number}`;
const placeAt = (position: number): CheckpointEvent => ({
  position: logPosition(BigInt(position)),
  eventId: `event ${position}`,
  stream: stream(1),
  revision: position - 1,
});
const mailOn = (cause: string): CausedMail => ({ cause, mail: { to: 'meera@example.com', subject: cause, text: '', html: '' } });
const postponement = (of: number, position: number, attempts = 1): Postponement => ({
  stream: stream(of),
  position: logPosition(BigInt(position)),
  attempts,
  wait: attempts === 0 ? 0 : 60_000,
  error: 'Broken',
});

const BEGINNING: CheckpointEvent = { position: START, eventId: '' };
const keyOf = (name: string, first = async () => BEGINNING, handles = ['OrderPlaced']): ReactionKey => ({
  name,
  categories: ['order'],
  handles,
  first,
});
const NOTING = keyOf('noting');
const taken = async (storage: ReactionStorage, holder = 'one'): Promise<LeasedReaction> =>
  (await storage.claim(NOTING, holder)) ?? expect.fail('somebody holds it');

describe.each([
  ['Postgres', inPostgres],
  ['memory', inMemory],
])("the runner's storage in %s", (_, open) => {
  test('a reaction starts at the given position, once', async () => {
    const { storage } = await open();
    const key = keyOf('noting', async () => placeAt(7));
    const held = await storage.claim(key, 'one');
    expect(held).toEqual({ name: 'noting', holder: 'one', place: placeAt(7), startedAt: 7n, epoch: 0, lacks: [] });
    const again = keyOf('noting', () => expect.fail('asked again'));
    expect(await storage.claim(again, 'one')).toEqual(held);
  });

  test('one process holds a reaction until it releases it or its lease expires', async () => {
    const { storage, letTimePass } = await open();
    await taken(storage);
    expect(await storage.claim(NOTING, 'other')).toBeUndefined();
    await storage.release(NOTING, 'one');
    await taken(storage, 'other');
    await storage.release(NOTING, 'one');
    expect(await storage.claim(NOTING, 'one')).toBeUndefined();
    await letTimePass();
    await storage.renew(NOTING, 'other');
    expect(await storage.claim(NOTING, 'one')).toBeUndefined();
    await letTimePass();
    await taken(storage);
    await expect(storage.renew(NOTING, 'other')).rejects.toThrow(Superseded);
  });

  test('a release that handles more takes over at once, and one that handles less only if nobody else has held the lease for a while', async () => {
    const { storage, letTimePass } = await open();
    const next = keyOf('noting', async () => BEGINNING, ['OrderPlaced', 'OrderConfirmed']);
    const before = await taken(storage);
    expect(await storage.claim(next, 'next')).toBeUndefined();
    expect(await storage.renew(NOTING, 'one')).toBe(before.epoch + 1);
    await expect(storage.commit(NOTING, before, { place: placeAt(3) })).rejects.toThrow(Superseded);
    await storage.release(NOTING, 'one');
    expect(await storage.claim(NOTING, 'one')).toBeUndefined();
    expect(await storage.claim(next, 'next')).toMatchObject({ epoch: before.epoch + 1, lacks: [] });
    await storage.release(next, 'next');
    expect(await storage.claim(NOTING, 'one')).toBeUndefined();
    await letTimePass();
    expect(await storage.claim(NOTING, 'one')).toMatchObject({ epoch: before.epoch + 1, lacks: ['OrderConfirmed'] });
  });

  test('a clock that is set back delays neither the lease nor what is postponed', async () => {
    const { storage, setClockBack } = await open();
    const held = await taken(storage);
    await storage.commit(NOTING, held, { place: placeAt(5), postponed: [postponement(1, 3)] });
    expect(await storage.claim(NOTING, 'other')).toBeUndefined();
    await setClockBack();
    expect(await storage.dueNow('noting')).toHaveLength(1);
    await taken(storage, 'other');
    expect(await storage.claim(NOTING, 'one')).toBeUndefined();
  });

  test('checkpoint and mails are written together, and each cause has one mail', async () => {
    const { storage, causes } = await open();
    const begin = await taken(storage);
    const held = await storage.commit(NOTING, begin, { place: placeAt(3), mails: [mailOn('a'), mailOn('b')] });
    await storage.commit(NOTING, held, { place: placeAt(4), mails: [mailOn('b'), mailOn('c')] });
    expect((await taken(storage)).place).toEqual(placeAt(4));
    expect(await causes()).toEqual(['a', 'b', 'c']);
  });

  test.each<[string, (held: LeasedReaction) => LeasedReaction]>([
    ['position', (held) => ({ ...held, place: { ...held.place, position: logPosition(2n) } })],
    ['event', (held) => ({ ...held, place: { ...held.place, eventId: 'another' } })],
    ['holder', (held) => ({ ...held, holder: 'other' })],
    ['epoch', (held) => ({ ...held, epoch: held.epoch - 1 })],
  ])('nothing is written with a wrong %s', async (__, mistaken) => {
    const { storage, causes } = await open();
    const held = await storage.commit(NOTING, await taken(storage), { place: placeAt(3) });
    const changes = { place: placeAt(4), mails: [mailOn('a')], postponed: [postponement(1, 4)] };
    await expect(storage.commit(NOTING, mistaken(held), { place: placeAt(4), mails: [mailOn('a')] })).rejects.toThrow(Superseded);
    await expect(storage.commit(NOTING, mistaken(held), changes)).rejects.toThrow(Superseded);
    expect(await causes()).toEqual([]);
    expect(await storage.postponedStreams('noting')).toEqual(new Set());
    expect((await taken(storage)).place).toEqual(placeAt(3));
  });

  test('of each stream only the first postponed event becomes due', async () => {
    const { storage, letTimePass } = await open();
    const begin = await taken(storage);
    const postponed = [postponement(1, 3), postponement(1, 4, 0), postponement(2, 5)];
    const held = await storage.commit(NOTING, begin, { place: placeAt(5), postponed });
    expect(await storage.postponedStreams('noting')).toEqual(new Set([stream(1), stream(2)]));
    expect(await storage.dueNow('noting')).toEqual([]);
    await letTimePass();
    const due = await storage.dueNow('noting');
    expect(due.toSorted((a, b) => Number(a.position - b.position))).toEqual([
      { stream: stream(1), position: 3n, attempts: 1 },
      { stream: stream(2), position: 5n, attempts: 1 },
    ]);
    const mine = await taken(storage);
    await storage.commit(NOTING, mine, { place: held.place, failedAgain: postponement(1, 3, 2) });
    await storage.commit(NOTING, mine, { place: held.place, done: postponement(2, 5) });
    expect(await storage.dueNow('noting')).toEqual([]);
    await letTimePass();
    expect(await storage.dueNow('noting')).toEqual([{ stream: stream(1), position: 3n, attempts: 2 }]);
    await storage.commit(NOTING, await taken(storage), { place: held.place, done: postponement(1, 3) });
    expect(await storage.dueNow('noting')).toEqual([{ stream: stream(1), position: 4n, attempts: 0 }]);
  });

  test('all postponed events of a reaction are due when they are to be retried', async () => {
    const { storage } = await open();
    const begin = await taken(storage);
    await storage.commit(NOTING, begin, { place: placeAt(5), postponed: [postponement(1, 3), postponement(2, 5)] });
    await storage.retryNow('other');
    expect(await storage.dueNow('noting')).toEqual([]);
    await storage.retryNow('noting');
    expect(await storage.dueNow('noting')).toHaveLength(2);
  });

  test('postponed events are deleted together, without those of other reactions', async () => {
    const { storage } = await open();
    const begin = await taken(storage);
    const other = (await storage.claim(keyOf('other'), 'one')) ?? expect.fail();
    await storage.commit(NOTING, begin, { place: placeAt(3), postponed: [postponement(1, 3)] });
    await storage.commit(keyOf('other'), other, { place: placeAt(3), postponed: [postponement(2, 3)] });
    const { place } = await taken(storage);
    await storage.commit(NOTING, { ...begin, place }, { place: BEGINNING, forgetsPostponed: true });
    expect(await storage.postponedStreams('noting')).toEqual(new Set());
    expect(await storage.postponedStreams('other')).toEqual(new Set([stream(2)]));
  });
});
