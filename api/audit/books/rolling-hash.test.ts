import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { NO_STREAM, START, type EventStore, type StreamName } from '#domain/event-store.ts';

import { auditCommand } from '../../cli/audit.ts';
import { linked, rolledHash } from '../../event-store/chain.ts';
import { openPostgresEventStore } from '../../event-store/postgres/postgres-event-store.ts';
import { streamCategories, type StoredLog } from '../../event-store/stored-event.ts';
import { shopCodec } from '../../event-store/testing/test-codec.ts';
import { command, restocked, soldOut } from '../../event-store/testing/writing.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { liveLog } from '../log/log-source.ts';

const [OUD, ROSE, MUSK] = ['product-oud', 'product-rose', 'product-musk'] as const satisfies readonly StreamName[];

let owner: pg.Client;
let store: EventStore & StoredLog;
let said: string[];

/** Oud is at positions 1, 2 and 7, rose at 3 and 4, musk at 5 and 6. */
beforeEach(async () => {
  const connectionString = await freshDatabase();
  owner = new pg.Client({ connectionString });
  await owner.connect();
  store = await openPostgresEventStore({ connectionString, codec: shopCodec() });
  const { head } = await store.append(OUD, NO_STREAM, [soldOut, restocked], command());
  for (const stream of [ROSE, MUSK]) await store.append(stream, NO_STREAM, [soldOut, restocked], command());
  await store.append(OUD, head, [soldOut], command());
  said = [];
});
afterEach(() => Promise.all([owner.end(), store.close()]));

const audit = (...args: readonly string[]): Promise<number> =>
  auditCommand(args, { live: async () => liveLog(store), out: (line) => void said.push(line), err: () => undefined });

const SOUND = '7 events of 3 streams: everything is as it was written';

/** Changes an event and its stream's hash chain. */
const rewriteOud = async (): Promise<void> => {
  let previous = '';
  for (const { position, ...event } of await store.storedStream(OUD)) {
    const { revision, eventId, type, data } = event;
    const metadata = event.metadata.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}');
    const changed = linked(previous, {
      stream: OUD,
      revision,
      eventId,
      type,
      data: revision === 1 ? data.replace('T12', 'T13') : data,
      metadata,
    });
    previous = changed.head.hash;
    await owner.query('update log.events set data = $1, metadata = $2 where position = $3', [
      changed.event.data,
      changed.event.metadata,
      position,
    ]);
  }
};

const sql = (text: string) => async () => {
  await owner.query(text);
};

/** Swaps two events of different streams without their rolling hashes. */
const EXCHANGED = sql(`
  update log.events set position = -position where stream in ('${ROSE}', '${MUSK}');
  update log.events event set position = case stream when '${ROSE}' then -event.position + 2 else -event.position - 2 end where position < 0;
  update log.events event set rolling_hash = other.rolling_hash from log.events other
  where event.position in (3, 4, 5, 6) and other.position = case when event.position < 5 then event.position + 2 else event.position - 2 end`);

test.each<[string, () => Promise<void>, readonly string[]]>([
  ['was not changed', async () => undefined, [SOUND]],
  [
    'lacks a whole stream',
    sql(`delete from log.events where stream = '${ROSE}'`),
    ['The log at position 3: missing, there is no event at this position any more'],
  ],
  [
    'has two streams exchanged',
    EXCHANGED,
    [3, 4, 5, 6].map((position) => {
      const [stream, revision] = position < 5 ? [MUSK, position - 3] : [ROSE, position - 5];
      const what = 'out_of_place, the log was changed from here on: its rolling hash does not match';
      return `The log at position ${position}: ${what} (${stream} at revision ${revision})`;
    }),
  ],
  [
    'lacks its last events',
    sql('delete from log.events where position >= 5'),
    ['The log at position 5: missing, there is no event at this position any more'],
  ],
  [
    'has an altered event with a recomputed chain',
    rewriteOud,
    [1, 2].map((revision) => {
      const what = 'out_of_place, the log was changed from here on: its rolling hash does not match';
      return `The log at position ${revision === 1 ? 2 : 7}: ${what} (${OUD} at revision ${revision})`;
    }),
  ],
  [
    'has an event not written by the shop',
    sql(`insert into log.events select 8, stream, 2, gen_random_uuid(), type, data, metadata from log.events where position = 4`),
    [
      'The log at position 8: unsealed, this event was not written by the shop: it has no rolling hash (product-rose at revision 2)',
      'product-rose at revision 2: altered, this event is not what was appended',
    ],
  ],
])('verify-all checks the rolling hash of a log that %s', async (_, tamper, findings) => {
  await tamper();
  expect(await audit('verify-all')).toBe(findings[0] === SOUND ? 0 : 1);
  expect(said.slice(0, findings.length)).toEqual(findings);
});

test('an export contains the rolling hash, and can be checked with it anywhere', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ruhani-seals-'));
  const file = path.join(folder, 'log.ndjson');
  await audit('export');
  const lines = said.flatMap((text) => text.split('\n'));
  await writeFile(file, lines.join('\n'));
  said = [];
  expect(await audit('verify-all', '--file', file)).toBe(0);
  await writeFile(file, lines.filter((line) => !line.includes(`"stream":"${MUSK}"`)).join('\n'));
  expect(await audit('verify-all', '--file', file)).toBe(1);
  expect(said).toContain('The log at position 5: missing, there is no event at this position any more');
  await rm(folder, { recursive: true });
});

const rollAnew = async (): Promise<void> => {
  let rolled = '';
  for (const event of await store.storedPage(START, 100, streamCategories)) {
    rolled = rolledHash(rolled, event);
    await owner.query(`update log.events set rolling_hash = decode($1, 'hex') where position = $2`, [rolled, event.position]);
  }
  await owner.query(`update log.head set rolling_hash = decode($1, 'hex')`, [rolled]);
};

test('saved heads include that of the log, which reveals a recomputed rolling hash', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ruhani-heads-'));
  const [file, older] = [path.join(folder, 'heads.ndjson'), path.join(folder, 'older.ndjson')];
  expect(await audit('heads')).toBe(0);
  const { rollingHash: hash } = (await store.sealedHead?.()) ?? expect.fail();
  expect(said.at(-1)).toBe(JSON.stringify({ stream: 'log', revision: 7, hash }));
  await writeFile(file, said.join('\n'));
  await writeFile(older, said.slice(0, -1).join('\n'));
  for (const heads of [file, older]) expect(await audit('verify-all', '--heads', heads)).toBe(0);

  await EXCHANGED();
  await rollAnew();
  expect(await audit('verify-all', '--heads', older)).toBe(0);
  said = [];
  expect(await audit('verify-all', '--heads', file)).toBe(1);
  const detail = 'altered, the log had another rolling hash here when its heads were saved';
  expect(said[0]).toBe(`The log at position 7: ${detail} (${OUD} at revision 2)`);
  expect(said[1]).toMatch(/: 1 faults$/);

  await owner.query('delete from log.events where position = 7');
  await owner.query('update log.head set (position, rolling_hash) = (select position, rolling_hash from log.events where position = 6)');
  said = [];
  expect(await audit('verify-all', '--heads', file)).toBe(1);
  expect(said).toContain('The log at position 7: missing, there is no event at this position any more');
  await rm(folder, { recursive: true });
});
