import { sql } from 'kysely';
import type { Logger } from 'pino';

import { myOrdersQueries } from '#projections/orders/my-orders-queries.ts';
import { listen } from '#projections/follower/listen.ts';
import { inBackground, repeatEvery, type BackgroundWork } from '#projections/follower/repeat-every.ts';

import { outbox as outboxWith } from '../mail/outbox.ts';
import type { DerivedKeys } from '../accounts/derived-keys.ts';
import type { Shop } from '../shop.ts';
import { createOrderIds } from '../orders/order-ids.ts';
import { enlist, listed, reopenReturned } from './erasures.ts';
import { type Erase, type EraseParts, eraseWith } from './erase.ts';
import { openListFile } from './list-file.ts';

const CHANNEL = 'erasures';

type Announcements = BackgroundWork & {
  /** When it resolves, `onErasure` was called in this process; the other processes call it a moment later. */
  announce(): Promise<void>;
};

/** `onErasure` is also called when a notification may have been missed. */
export const openErasureAnnouncements = ({ db, pool }: Pick<Shop, 'db' | 'pool'>, onErasure: () => void): Announcements => {
  const announce = async (): Promise<void> => {
    onErasure();
    await sql`notify ${sql.id(CHANNEL)}`.execute(db);
  };
  const listener = { pool, channel: CHANNEL, onPayload: onErasure, onListening: onErasure };
  return { announce, ...inBackground((signal) => listen(listener, signal)) };
};

export type Erasing = Pick<Erase, 'erase' | 'eraseGuest' | 'eraseLapsed'> & BackgroundWork;

export type ErasingOptions = {
  readonly dataDir: string;
  readonly keys: Pick<DerivedKeys, 'mail'>;
  readonly onStep?: EraseParts['onStep'];
};

/** The shop looks this often for erasures that a killed process left. */
const FINISHED_EVERY_MS = 60_000;
/** The shop looks this often for lapsed drafts of visitors. */
const LAPSED_EVERY_MS = 3_600_000;

/**
 * When it resolves, the keys of the users listed in the database or in DATA_DIR are destroyed, and unless a later step fails, all their
 * data. It runs before anything is served, so that a restored backup shows no erased user. Throws when a key could not be destroyed.
 */
export const openErasing = async (shop: Shop, { dataDir, keys, onStep }: ErasingOptions, log: Logger): Promise<Erasing> => {
  const db = shop.db;
  const now = (): Date => new Date(shop.now());
  const file = openListFile(dataDir);
  const keepList = async (): Promise<void> => file.append(await listed(db));
  const trouble = (what: string) => (error: unknown) => log.error({ err: error }, what);

  let isOpen = false;
  const announcements = openErasureAnnouncements(shop, () => {
    shop.forget();
    // Every process keeps the list file, since any of them may later run on a restored backup.
    if (isOpen) void keepList().catch(trouble('The list of erasures could not be saved'));
  });
  const parts = {
    ...shop,
    nowInLog: shop.now,
    db,
    now,
    log,
    file,
    onStep,
    announce: announcements.announce,
    outbox: outboxWith({ key: keys.mail, now }),
  };
  const { erase, eraseGuest, eraseLapsed, finishAll, allUnreadable } = eraseWith({
    ...parts,
    idOf: await createOrderIds(db),
    myOrders: myOrdersQueries(shop.read),
  });

  try {
    const known = await file.read();
    await db.transaction().execute((tx) => enlist(tx, known));
    const returned = await reopenReturned(db);
    if (returned > 0) log.warn({ returned }, 'Erased users came back with a backup and are erased again');
    await keepList();
    await allUnreadable();
  } catch (error) {
    await announcements.close();
    throw error;
  }
  isOpen = true;
  const repeat = (every: number, work: () => Promise<unknown>, failure: string): BackgroundWork =>
    inBackground((signal) => repeatEvery(every, work, { signal, firstAfter: every, onError: trouble(failure) }));
  const running = [
    repeat(FINISHED_EVERY_MS, finishAll, 'An erasure could not be finished yet'),
    repeat(LAPSED_EVERY_MS, eraseLapsed, 'Lapsed drafts could not be erased yet'),
    announcements,
  ];
  return {
    erase,
    eraseGuest,
    eraseLapsed,
    close: async () => void (await Promise.all(running.map((each) => each.close()))),
  };
};
