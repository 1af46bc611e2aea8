import { pino } from 'pino';

import { openShop } from '../../composition/open-shop.ts';
import type { Shop } from '../../shop.ts';
import { outbox as outboxWith } from '../../mail/outbox.ts';
import { postgresReactions } from '../postgres-reaction-storage.ts';
import { keyEncryptionKey } from '../../testing/test-keyring.ts';
import { runReaction } from '../runner.ts';
import { whenOrderPlacedEmptyCart } from '../when-order-placed-empty-cart.ts';

/** Empties carts, and hangs `before` or `after` its first command until it is killed: `… <database> <when>`. */
const [databaseUrl = '', when = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const shop = await openShop({ dataDir: '/nowhere', databaseUrl, eventStoreUrl: undefined, keyEncryptionKey }, log);

const stuck = (): Promise<never> => {
  process.stdout.write('stuck\n');
  return new Promise(() => {});
};
const execute: Shop['execute'] = async (...asked) => {
  if (when === 'after') await shop.execute(...asked);
  return stuck();
};

await runReaction(
  whenOrderPlacedEmptyCart({ ...shop, execute }),
  {
    storage: postgresReactions(shop.db, outboxWith({ key: Buffer.alloc(32), now: () => new Date() })),
    feed: shop.store,
    log,
  },
  new AbortController().signal,
);
