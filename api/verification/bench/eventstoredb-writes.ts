import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';

import type { Resources } from '../../platform/resources.ts';
import { median, callsPerSecond } from './measuring/bare-inserts.ts';
import { inRounds } from './measuring/compare-with-limit.ts';
import { sampleCommand, now, sampleRevision } from './samples/sample-event.ts';
import { productsOf, stepsFor } from './shop/shop-writes.ts';
import { journeysPerSecond } from './shop/shop-journeys.ts';
import { startShop } from './shop/shop-server.ts';

const CONNECTIONS = 16;
const ROUNDS = 3;
const SECONDS = 2;
/** In ms. */
const LOOK_EVERY = 200;
/** With credentials the client makes a separate call for the append; without, it sends all appends of the process through one stream. */
const SINGLE_CALLS = { credentials: { username: 'nobody', password: '' } };

const appendBy =
  (client: EventStoreDBClient, how: object = {}) =>
  async (): Promise<void> => {
    const { type, data } = sampleRevision();
    const metadata = { version: 1, ...sampleCommand(), recordedAt: now(), hash: 'f'.repeat(64) };
    const options = { expectedRevision: NO_STREAM, requiresLeader: true, ...how } as const;
    await client.appendToStream(`bare-${crypto.randomUUID()}`, jsonEvent({ type, data: { ...data }, metadata }), options);
  };

const startDouble = async (opened: Resources): Promise<string> => {
  const child = fork(fileURLToPath(new URL('eventstoredb-child.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  opened.with(child, async (each) => void each.disconnect());
  const [connectionString] = await once(child, 'message');
  return String(connectionString);
};

type Variant = 'bare' | 'bareInOneStream' | 'firstAdds' | 'adds' | 'orders';

/**
 * Per second: appends of the bare client beside the shop's adds and whole orders, from 16 connections each, in turns, on the EventStoreDB
 * of `EVENTSTORE_URL` (insecure) or its test double.
 */
export const benchEventStoreDb = async ({
  dataDir,
  opened,
}: {
  readonly dataDir: string;
  readonly opened: Resources;
}): Promise<unknown> => {
  // Empty counts as not set.
  const named = process.env['EVENTSTORE_URL'] || undefined;
  const eventStoreUrl = named ?? (await startDouble(opened));
  const { url } = await startShop(dataDir, opened, { eventStoreUrl });
  const client = opened.with(EventStoreDBClient.connectionString(eventStoreUrl), (each) => each.dispose());
  // An existing log is read first.
  let products = await productsOf(url);
  while (products.length === 0) products = await pause(LOOK_EVERY, productsOf(url));
  const steps = stepsFor(products);
  const load = { url, connections: CONNECTIONS, seconds: SECONDS };
  const rounds = await inRounds(ROUNDS, async (): Promise<Record<Variant, number>> => ({
    bare: await callsPerSecond(CONNECTIONS, SECONDS * 1_000, appendBy(client, SINGLE_CALLS)),
    bareInOneStream: named === undefined ? 0 : await callsPerSecond(CONNECTIONS, SECONDS * 1_000, appendBy(client)),
    firstAdds: await journeysPerSecond(load, steps.firstAdds),
    adds: await journeysPerSecond(load, steps.adds),
    orders: await journeysPerSecond(load, steps.orders),
  }));
  const line = (label: string, variant: Variant, toReach = ''): void => {
    const rate = Math.round(median(rounds.map((round) => round[variant])));
    const ratio = median(rounds.map((round) => round[variant] / round.bare)).toFixed(3);
    console.log(label.padEnd(52) + [`${rate.toLocaleString('en-US')}/s`, ratio, toReach].map((text) => text.padStart(14)).join(''));
  };
  console.log(`${CONNECTIONS} connections, ${named === undefined ? 'the double' : 'the server'}: rate, of the limit, to reach`);
  line('appends of the bare client (the limit)', 'bare');
  if (named !== undefined) line('the same through its one stream for all', 'bareInOneStream');
  line('add to cart, a new visitor each', 'firstAdds', '0.350');
  line('add to cart, ten by each visitor', 'adds', '0.350');
  line('whole order, a new visitor each', 'orders', '0.090');
  console.log('The shop, its stores and the load share the cores of this machine.');
  return rounds;
};
