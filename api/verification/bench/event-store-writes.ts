import pg from 'pg';
import { NO_STREAM, type EventStore, type StreamHead, type StreamName } from '#domain/event-store.ts';
import { eventCodec } from '../../event-store/codec/codec.ts';
import { openPostgresEventStore } from '../../event-store/postgres/postgres-event-store.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import { memorySubjectKeys } from '../../event-store/testing/memory-subject-keys.ts';
import { migrateShop } from '../../migrations/migrate.ts';
import { BARE_TABLE, insertInto, median, callsPerSecond } from './measuring/bare-inserts.ts';
import { onNewDatabase } from './measuring/new-database.ts';
import { inRounds } from './measuring/compare-with-limit.ts';
import { sampleCommand, now, sampleRevision } from './samples/sample-event.ts';

/** Per second: appends from this many callers, and commits of a bare INSERT from this many connections. */
export type StoreBench = {
  readonly bareInserts: { readonly [connections: number]: number };
  readonly appends: { readonly [callers: number]: number };
  /** One caller relative to one connection should reach 0.6; 128 callers relative to 32 connections 1.5. */
  readonly ratios: { readonly one: number; readonly crowd: number };
};

const ROUNDS = 7;
const ROUND_MS = 500;

const appendTo = (store: EventStore) => {
  const streams = new Map<number, { name: StreamName; head: StreamHead }>();
  return async (caller: number): Promise<void> => {
    const stream = streams.get(caller) ?? { name: `product-${crypto.randomUUID()}` as const, head: NO_STREAM };
    const { head } = await store.append(stream.name, stream.head, [sampleRevision()], sampleCommand());
    // The shop's streams are short.
    if (head.revision < 9) streams.set(caller, { ...stream, head });
    else streams.delete(caller);
  };
};

const prepare = async (connectionString: string): Promise<void> => {
  await migrateShop(connectionString);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(BARE_TABLE);
  await client.end();
};

export const benchStore = ({ connectionString }: { connectionString: string }): Promise<StoreBench> =>
  onNewDatabase(connectionString, async (url) => {
    await prepare(url);
    return measure(url);
  });

/** In turns, so that slow moments of the machine affect all alike. */
type Round = Record<'bare 1' | 'append 1' | 'append 8' | 'append 32' | 'bare 32' | 'append 128', number>;

const measure = async (connectionString: string): Promise<StoreBench> => {
  const store = await openPostgresEventStore({ connectionString, codec: eventCodec({ schemas, keys: memorySubjectKeys(), now }) });
  const pool = (size: number) => new pg.Pool({ connectionString, max: size });
  const pools = { 1: pool(1), 32: pool(32) };
  const rounds = await inRounds(ROUNDS, async (): Promise<Round> => ({
    'bare 1': await callsPerSecond(1, ROUND_MS, insertInto(pools[1])),
    'append 1': await callsPerSecond(1, ROUND_MS, appendTo(store)),
    'append 8': await callsPerSecond(8, ROUND_MS, appendTo(store)),
    'append 32': await callsPerSecond(32, ROUND_MS, appendTo(store)),
    'bare 32': await callsPerSecond(32, ROUND_MS, insertInto(pools[32])),
    'append 128': await callsPerSecond(128, ROUND_MS, appendTo(store)),
  }));
  await store.close();
  await Promise.all([pools[1].end(), pools[32].end()]);
  return report(rounds);
};

const report = (rounds: readonly Round[]): StoreBench => {
  const rate = (variant: keyof Round): number => Math.round(median(rounds.map((round) => round[variant])));
  const ratio = (one: keyof Round, other: keyof Round): number => median(rounds.map((round) => round[one] / round[other]));
  const bareInserts = { 1: rate('bare 1'), 32: rate('bare 32') };
  const appends = { 1: rate('append 1'), 8: rate('append 8'), 32: rate('append 32'), 128: rate('append 128') };
  const ratios = { one: ratio('append 1', 'bare 1'), crowd: ratio('append 128', 'bare 32') };

  const line = (label: string, perSecond: number) => console.log(`${label.padEnd(34)}${perSecond.toLocaleString('en-IN').padStart(10)}/s`);
  for (const [connections, perSecond] of Object.entries(bareInserts)) line(`bare INSERT, connections: ${connections}`, perSecond);
  for (const [callers, perSecond] of Object.entries(appends)) line(`append, callers: ${callers}`, perSecond);
  console.log(`one caller: ${ratios.one.toFixed(2)} × bare INSERT from one connection (to reach 0.60)`);
  console.log(`128 callers: ${ratios.crowd.toFixed(2)} × bare INSERT from 32 connections (to reach 1.50)`);
  return { bareInserts, appends, ratios };
};
