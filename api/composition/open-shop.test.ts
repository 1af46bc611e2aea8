import { expect, test } from 'vitest';

import { openReadDatabase } from '#projections/database.ts';

import { openLogger } from '../platform/logger.ts';
import { CannotStart } from '../platform/cannot-start.ts';
import { withClient } from '../platform/postgres/postgres-client.ts';
import type { Shop } from '../shop.ts';
import { openShop } from './open-shop.ts';
import { openQueries } from './open-queries.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { keyEncryptionKey } from '../testing/test-keyring.ts';

const log = openLogger('silent');

test('a shop whose catalogue cannot be read keeps nothing open, and can be closed', async () => {
  const connectionString = await freshDatabase();
  const shop = await openShop({ dataDir: '/nowhere', databaseUrl: connectionString, eventStoreUrl: undefined, keyEncryptionKey }, log);
  const closed = openReadDatabase({ connectionString });
  await closed.close();
  await expect(openQueries({ ...shop, read: { ...shop.read, db: closed.db } }, log)).rejects.toThrow();
  const { totalCount, idleCount } = shop.read.pool;
  expect(totalCount - idleCount).toBe(0);
  await shop.close();
});

test('a shop of more processes than Postgres has connections for is refused, and one of as many opens', async () => {
  const databaseUrl = await freshDatabase();
  const open = (workers: number) =>
    openShop({ dataDir: '/nowhere', databaseUrl, eventStoreUrl: undefined, keyEncryptionKey, workers }, log).catch(
      (error: unknown) => error,
    );
  const said = `With WORKERS=999 the shop opens up to (\\d+) connections, and Postgres allows (\\d+): lower WORKERS, or raise max_connections.`;
  const refused = await open(999);
  expect(refused).toBeInstanceOf(CannotStart);
  const [most = 0, allowed = 0] = new RegExp(said).exec(String(refused))?.slice(1).map(Number) ?? [];
  // One process more runs the projections.
  const enough = Math.floor(allowed / (most / 1_000)) - 1;
  expect(await open(enough + 1)).toBeInstanceOf(CannotStart);
  const shop = await open(enough);
  expect(shop).not.toBeInstanceOf(Error);
  if (!(shop instanceof Error)) await (shop as Shop).close();
  await withClient({ connectionString: databaseUrl, application_name: 'test' }, async (client) => {
    const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await client.query(others)).rowCount).toBe(0);
  });
});
