import { expect, test } from 'vitest';

import { openReadDatabase } from '#projections/database.ts';

import { openLogger } from '../platform/logger.ts';
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
