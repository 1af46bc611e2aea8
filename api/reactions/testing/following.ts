import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, vi } from 'vitest';

import { cart, type Cart, type CartCommand, cartStream } from '#domain/cart/cart.ts';
import type { CommandMetadata, Recorded } from '#domain/event-store.ts';
import { order, type OrderCommand } from '#domain/order/order.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { anOrder } from '#domain/testing/carts.ts';

import { openLogger } from '../../platform/logger.ts';
import { Resources } from '../../platform/resources.ts';
import type { Mail } from '../../mail/mail.ts';
import { outbox as outboxWith, type Outbox } from '../../mail/outbox.ts';
import { openShop } from '../../composition/open-shop.ts';
import type { Shop } from '../../shop.ts';
import { shopDatabase, type ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { postgresReactions } from '../postgres-reaction-storage.ts';
import { keyEncryptionKey } from '../../testing/test-keyring.ts';
import type { Reaction } from '../reaction.ts';
import { runReaction, type RunnerParts } from '../runner.ts';

const KEY = Buffer.alloc(32, 5);

export type RunningReaction = { stop(): Promise<void> };

/** The shop is on a new or a given database; the test starts and stops its reactions. */
export type FollowedShop = Shop & {
  readonly databaseUrl: string;
  readonly db: ShopDatabase;
  readonly outbox: Outbox;
  readonly publicUrl: string;
  start(reaction: Reaction, parts?: Partial<RunnerParts>): RunningReaction;
  /** Resolves when the reaction has handled all order events. */
  caughtUp(reaction: Reaction): Promise<void>;
  toOrder(command: OrderCommand, id?: OrderId): Promise<void>;
  toCart(owner: string, command: CartCommand): Promise<void>;
  cartOf(owner: string): Promise<Cart>;
  /** Returns the waiting mails with their causes, in queue order. */
  mails(): Promise<readonly (Mail & { readonly cause: string })[]>;
};

export const metadata = (): CommandMetadata => ({
  commandId: randomUUID(),
  correlationId: 'a-request',
  causationId: 'a-request',
  actor: { kind: 'user', id: 'meera' },
});

/** The timeout is long enough for a busy machine. */
const PATIENTLY = { timeout: 60_000, interval: 20 };
/** Resolves once `check` no longer throws. */
export const eventually = <Result>(check: () => Promise<Result>): Promise<Result> => vi.waitFor(check, PATIENTLY);

export const openFollowedShop = async (at?: string): Promise<FollowedShop> => {
  const opened = new Resources();
  const log = openLogger('silent');
  const databaseUrl = at ?? (await freshDatabase());
  const shop = opened.with(await openShop({ dataDir: '/nowhere', databaseUrl, eventStoreUrl: undefined, keyEncryptionKey }, log), (each) =>
    each.close(),
  );
  const pool = opened.with(new pg.Pool({ connectionString: databaseUrl, max: 5 }), (each) => each.end());
  const db = shopDatabase(pool);
  const outbox = outboxWith({ key: KEY, now: () => new Date() });

  const start: FollowedShop['start'] = (reaction, parts = {}) => {
    const ending = new AbortController();
    const running = runReaction(reaction, { storage: postgresReactions(db, outbox), feed: shop.store, log, ...parts }, ending.signal);
    const stop = () => {
      ending.abort();
      return running;
    };
    return opened.with({ stop }, stop);
  };

  return {
    ...shop,
    close: opened.close,
    databaseUrl,
    db,
    outbox,
    publicUrl: 'https://ruhani.example',
    start,
    caughtUp: async ({ name, categories }) => {
      const head = await shop.store.head(categories);
      await eventually(async () => {
        const at = await db.selectFrom('reactions').select('position').where('name', '=', name).executeTakeFirst();
        const position = BigInt(at?.position ?? -1);
        // The position may be beyond `head` if the reaction caused events that it follows itself, but never beyond the end of the log.
        expect(position).toBeGreaterThanOrEqual(head);
        expect(position).toBeLessThanOrEqual(await shop.store.head(categories));
      });
    },
    toOrder: async (command, id = anOrder) => void (await shop.execute(order, `order-${id}`, command, metadata())),
    toCart: async (owner, command) => void (await shop.execute(cart, cartStream(owner), command, metadata())),
    cartOf: async (owner) => (await shop.load(cart, cartStream(owner))).state,
    mails: async () => {
      const rows = await db.selectFrom('outbox').select(['cause', 'content']).where('content', 'is not', null).orderBy('number').execute();
      return rows.map(({ cause, content }) => ({
        cause,
        ...outbox.open(cause, content ?? expect.fail()).compose({ isShopper: true }, () => 'https://ruhani.example/order/token'),
      }));
    },
  };
};

export const findEvent = async ({ store }: Pick<Shop, 'store'>, type: string, id = anOrder): Promise<Recorded> => {
  const { events } = await store.read(`order-${id}`);
  return events.find((event) => event.type === type) ?? expect.fail(`no ${type}`);
};
