import type { Logger } from 'pino';

import { myOrdersIn } from '#projections/orders/my-orders.ts';

import { outbox as outboxWith } from '../mail/outbox.ts';
import type { Keys } from '../accounts/derived-keys.ts';
import type { Shop } from '../composition/types/shop.ts';
import { orderIdsIn } from '../orders/order-ids.ts';
import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { openAnnouncements } from './announcements.ts';
import { enlist, listed, reopenReturned } from './erasures.ts';
import { eraseWith, type Erase, type EraseParts } from './erase.ts';
import { listFileIn } from './list-file.ts';

export type Erasing = Pick<Erase, 'erase' | 'eraseVisitor' | 'eraseLapsed'> & { close(): Promise<void> };

type Options = {
  readonly dataDir: string;
  readonly keys: Pick<Keys, 'mail'>;
  readonly onStep?: EraseParts['onStep'];
};

/** How often it looks for erasures that a killed process left, in ms. */
const LOOKS_EVERY = 60_000;
/** How often it looks for lapsed drafts of visitors, in ms. */
const LAPSED_EVERY = 3_600_000;

/**
 * Erases users, and finishes all unfinished erasures. When it resolves, no one on the list, in the database or in DATA_DIR, has data left
 * in the shop: it is opened before anything is served, so that a restored backup shows no erased user. Throws when that fails.
 */
export const openErasing = async (shop: Shop, { dataDir, keys, onStep }: Options, log: Logger): Promise<Erasing> => {
  const db = shopDatabase(shop.pool);
  const now = (): Date => new Date(shop.now());
  const file = listFileIn(dataDir);
  const keepList = async (): Promise<void> => file.append(await listed(db));
  const trouble = (what: string) => (error: unknown) => log.error({ err: error }, what);

  let isOpen = false;
  const announcements = openAnnouncements(shop.pool, () => {
    shop.forget();
    // Every process keeps the list file, since any of them may be the one left with a restored backup.
    if (isOpen) void keepList().catch(trouble('The list of erasures could not be kept'));
  });
  const parts = { ...shop, db, now, log, file, onStep, announce: announcements.announce, outbox: outboxWith({ key: keys.mail, now }) };
  const { erase, eraseVisitor, eraseLapsed, finishAll, allFinished } = eraseWith({
    ...parts,
    idOf: await orderIdsIn(db),
    myOrders: myOrdersIn(shop.read),
  });

  try {
    const known = await file.read();
    await db.transaction().execute((tx) => enlist(tx, known));
    const returned = await reopenReturned(db);
    if (returned > 0) log.warn({ returned }, 'Erased users came back with a backup, and are erased again');
    await keepList();
    await allFinished();
  } catch (error) {
    await announcements.close();
    throw error;
  }
  isOpen = true;
  const looking = setInterval(() => void finishAll().catch(trouble('An erasure could not be finished yet')), LOOKS_EVERY).unref();
  const lapsing = setInterval(() => void eraseLapsed().catch(trouble('Lapsed drafts could not be erased yet')), LAPSED_EVERY).unref();
  return {
    erase,
    eraseVisitor,
    eraseLapsed,
    close: async () => {
      clearInterval(looking);
      clearInterval(lapsing);
      await announcements.close();
    },
  };
};
