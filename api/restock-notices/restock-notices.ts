import { readUnlessCut, type Revision, type StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { product, type OfferedProduct, productStream } from '#domain/product/product.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { pages } from '#domain/site/pages.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { stock, stockStream } from '#domain/stock/stock.ts';

import { isUnknown, type SealedByAddress, type SealedRows } from '../event-store/encryption/sealed-rows.ts';
import { Rejected } from '../command-handler/execute.ts';
import type { Shop } from '../shop.ts';
import type { Outbox } from '../mail/outbox.ts';
import { restockMail } from '../mail/templates/newsletter-mails.ts';
import { batcher } from '../platform/batcher.ts';
import { emailAddress, type EmailAddress } from '../platform/email-address.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { decrypt, encrypt } from '../platform/aes-gcm.ts';
import { endNotices } from './notice-rows.ts';
import { availableAt, levelAfter, reservedUntoldBy, notifiableAt, type LevelEvent, type RestockLevel } from './restock-level.ts';

type Parts = Pick<Shop, 'store' | 'load'> & {
  readonly db: ShopDatabase;
  readonly sealed: SealedRows;
  readonly outbox: Pick<Outbox, 'putAll' | 'wake'>;
  readonly now: () => Date;
  readonly key: Buffer;
  readonly publicUrl: string;
};

/** A transaction sends at most this many mails. */
const AT_ONCE = 100;

/**
 * The link contains the encrypted address, because its request is deleted by the time it is used. It is valid until SESSION_SECRET changes.
 */
const endLinks = ({ key, publicUrl }: Pick<Parts, 'key' | 'publicUrl'>) => {
  const purpose = 'end notices';
  return {
    to: (email: EmailAddress): string => publicUrl + pages.endNotices.replace(':token', encrypt(key, purpose, email).toString('base64url')),
    read: (token: string): EmailAddress | undefined => {
      try {
        return emailAddress(decrypt(key, purpose, Buffer.from(token, 'base64url')).toString());
      } catch {
        return undefined;
      }
    },
  };
};

/** An order held these bottles without being placed. `since` is the revision of the reservation. */
type Hold = { readonly quantity: number; readonly since: Revision };

/**
 * Returns undefined if the bottles belonged to a placed order. Reads the whole stock stream only if the reservation is older than `news`.
 */
const holdEndedBy = async ({ store }: Parts, event: LevelEvent, news: readonly LevelEvent[]): Promise<Hold | undefined> => {
  if (event.type !== 'StockReleased') return undefined;
  const { order: id, quantity } = event.data;
  const { events: steps } = await readUnlessCut<OrderEvent>(store, orderStream(id));
  const state = steps.reduce(order.evolve, order.initial);
  if (state.status === 'cancelled' && state.placement !== null) return undefined;
  const findReservation = (events: readonly LevelEvent[]) =>
    events.findLast(({ type, data, revision }) => type === 'StockReserved' && data.order === id && revision < event.revision);
  const reservation = findReservation(news) ?? findReservation((await store.read<StockEvent>(event.stream)).events);
  return { quantity, since: reservation?.revision ?? event.revision };
};

export const createRestockNotices = (parts: Parts) => {
  const { store, load, db, sealed, outbox, now } = parts;
  const links = endLinks(parts);
  const levelInLog = async (id: ProductId): Promise<RestockLevel> => {
    const [offered, { state, head }] = await Promise.all([load(product, productStream(id)), load(stock, stockStream(id))]);
    const { isCounted, onHand, reserved } = state;
    const inStock = offered.state.status === 'offered' && offered.state.inStock;
    const isPriced = offered.state.status === 'offered' && offered.state.price > 0;
    return {
      productRevision: offered.head.revision,
      stockRevision: head.revision,
      inStock,
      isPriced,
      isCounted,
      onHand,
      reserved,
      untold: 0,
    };
  };

  /** Returns undefined when the stream does not reach this revision, because another log was restored. */
  const eventsAfter = async (stream: StreamName, revision: Revision): Promise<readonly LevelEvent[] | undefined> => {
    // The read starts one event earlier, so that the answer shows whether that event is still there.
    const { events } = await store.read<ProductEvent | StockEvent>(stream, { revision: Math.max(revision - 1, -1), hash: '' });
    if (revision < 0) return events;
    return events.some((each) => each.revision === revision) ? events.filter((each) => each.revision > revision) : undefined;
  };

  const readNews = async (id: ProductId, { productRevision, stockRevision }: RestockLevel): Promise<readonly LevelEvent[] | undefined> => {
    const [ofProduct, ofStock] = await Promise.all([
      eventsAfter(productStream(id), productRevision),
      eventsAfter(stockStream(id), stockRevision),
    ]);
    return ofProduct && ofStock && [...ofProduct, ...ofStock].toSorted((one, other) => (one.position < other.position ? -1 : 1));
  };

  /** Makes those who asked while the product was in stock wait for its return. */
  const noteSoldOut = async (tx: ShopDatabase, id: ProductId, since: Revision): Promise<void> => {
    const asked = tx.updateTable('restock_notices').where('product_id', '=', id).where('waiting_since', 'is', null);
    await asked.set({ waiting_since: since }).execute();
  };

  /** Mails the first people who wait since this revision or a later one. Returns their number. */
  const notifyFirst = async (tx: ShopDatabase, id: ProductId, offered: OfferedProduct, most: number, since: Revision): Promise<number> => {
    if (most <= 0) return 0;
    const notified = await tx
      .with('first', (query) =>
        query
          .selectFrom('restock_notices')
          .select('id')
          .where('product_id', '=', id)
          .where('waiting_since', '>=', since)
          .orderBy('id')
          .limit(Math.min(most, AT_ONCE))
          // Requests that are being ended are left out.
          .forUpdate()
          .skipLocked(),
      )
      .deleteFrom('restock_notices')
      .where('id', 'in', ({ selectFrom }) => selectFrom('first').select('first.id'))
      .returning(['id', 'subject', 'personal'])
      .execute();
    const readable = (await sealed.openAll('restock_notices', notified)).filter((one) => !isUnknown(one));
    const inOrder = readable.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
    const page = parts.publicUrl + pages.product.replace(':productId', id);
    await outbox.putAll(
      tx,
      inOrder.map(({ id: request, email }) => ({
        cause: `back-in-stock:${request}`,
        mail: restockMail({ to: email, name: offered.details.name, price: offered.price, page, end: links.to(email) }),
      })),
    );
    return notified.length;
  };

  /** Runs in a transaction that has locked the level. Returns the new level, and whether there are more people to mail. */
  const catchUp = async (tx: ShopDatabase, id: ProductId, offered: OfferedProduct, before: RestockLevel) => {
    const news = await readNews(id, before);
    let level = news ? before : await levelInLog(id);
    const holds: Hold[] = [];
    let soldOutSince = availableAt(level) === 0 ? level.stockRevision : undefined;
    for (const event of news ?? []) {
      const hold = await holdEndedBy(parts, event, news ?? []);
      if (hold) holds.push({ ...hold, quantity: hold.quantity - reservedUntoldBy(level, event) });
      level = levelAfter(level, event, hold !== undefined);
      if (availableAt(level) === 0) soldOutSince ??= level.stockRevision;
    }
    if (soldOutSince !== undefined) await noteSoldOut(tx, id, soldOutSince);
    const notifiable = notifiableAt(level);
    const notified = await notifyFirst(tx, id, offered, notifiable, -1);
    let left = availableAt(level) - notified;
    // For people who began to wait because of the hold, its end is a return to stock.
    for (const { quantity, since } of holds) left -= await notifyFirst(tx, id, offered, Math.min(quantity, left), since);
    const isCut = notified === AT_ONCE && notified < notifiable;
    const untold = level.isCounted || isCut ? Math.max(level.untold - notified, 0) : 0;
    return { level: { ...level, untold }, isCut };
  };

  const save = async (tx: ShopDatabase, id: ProductId, level: RestockLevel): Promise<void> => {
    const row = tx.updateTable('restock_levels').where('product_id', '=', id);
    await row.set({ level: JSON.stringify(level) }).execute();
  };

  const forgetLevel = async (tx: ShopDatabase, id: ProductId): Promise<void> => {
    const asked = tx.selectFrom('restock_notices').select('id').where('product_id', '=', id);
    const row = tx.deleteFrom('restock_levels').where('product_id', '=', id);
    await row.where(({ not, exists }) => not(exists(asked))).execute();
  };

  const notifySome = async (tx: ShopDatabase, id: ProductId): Promise<boolean> => {
    const row = await tx.selectFrom('restock_levels').select('level').where('product_id', '=', id).forUpdate().executeTakeFirst();
    if (!row) return false;
    const { state } = await load(product, productStream(id));
    let isCut = false;
    if (state.status === 'offered') {
      // The cast is safe: only `save` writes the level.
      const caughtUp = await catchUp(tx, id, state, row.level as RestockLevel);
      await save(tx, id, caughtUp.level);
      isCut = caughtUp.isCut;
    } else await tx.deleteFrom('restock_notices').where('product_id', '=', id).execute();
    if (!isCut) await forgetLevel(tx, id);
    return isCut;
  };

  /** Returns false when there is no such product. */
  const askFor = async (tx: ShopDatabase, id: ProductId, requests: readonly SealedByAddress[]): Promise<boolean> => {
    const { state } = await load(product, productStream(id));
    if (state.status !== 'offered') return false;
    const { level: saved } = await tx
      .insertInto('restock_levels')
      .values({ product_id: id, level: null })
      .onConflict((conflict) => conflict.column('product_id').doUpdateSet({ product_id: id }))
      .returning('level')
      .executeTakeFirstOrThrow();
    const level = saved === null ? await levelInLog(id) : (await catchUp(tx, id, state, saved as RestockLevel)).level;
    const waiting_since = availableAt(level) === 0 ? level.stockRevision : null;
    await tx
      .insertInto('restock_notices')
      .values(requests.map((request) => ({ ...request, product_id: id, waiting_since, created_at: now() })))
      .onConflict((conflict) =>
        // A row that an erasure missed, because it was written meanwhile, is taken over.
        conflict
          .columns(['address_hash', 'product_id'])
          .doUpdateSet(({ ref }) => ({ subject: ref('excluded.subject'), personal: ref('excluded.personal') })),
      )
      .execute();
    await save(tx, id, level);
    return true;
  };

  /** One job runs at a time in this process, because each holds a connection while it reads the log. Concurrent requests share one. */
  const mutex = keyedMutex();
  const alone = <Result>(job: (tx: ShopDatabase) => Promise<Result>): Promise<Result> =>
    mutex('notices', () => db.transaction().execute(job));

  const notifyAll = async (id: ProductId): Promise<void> => {
    while (await alone((tx) => notifySome(tx, id)));
  };

  const ask = batcher(async (asked: readonly { readonly id: ProductId; readonly email: EmailAddress }[]) => {
    const offered = new Map<ProductId, boolean>();
    for (const wanted of new Set(asked.map(({ id }) => id))) {
      const emails = [...new Set(asked.filter(({ id }) => id === wanted).map(({ email }) => email))];
      const requests = await Promise.all(emails.map((email) => sealed.sealByAddress('restock_notices', { email })));
      offered.set(wanted, await alone((tx) => askFor(tx, wanted, requests)));
      // A process that sent the mails about a restock meanwhile has not seen this request.
      await notifyAll(wanted);
    }
    return asked.map(({ id }) => offered.get(id) === true);
  });

  return {
    /** Requests one mail to this address when the product is in stock again. Throws `product_not_found`, and what the event store throws. */
    ask: async (id: ProductId, email: EmailAddress): Promise<void> => {
      if (!(await ask({ id, email }))) throw new Rejected({ code: 'product_not_found' });
      outbox.wake();
    },
    /**
     * Mails those who wait for the product about the bottles that arrived since the last time, by the log. Idempotent; any number of
     * processes may call it at once. A product that was removed loses its requests.
     */
    notify: async (id: ProductId): Promise<void> => {
      // This runs without the mutex, because most products have no requests.
      const row = await db.selectFrom('restock_levels').select('product_id').where('product_id', '=', id).executeTakeFirst();
      if (!row) return;
      await notifyAll(id);
      outbox.wake();
    },
    /** Ends all requests of the address to which the mailed token belongs. Returns false when the token is invalid. */
    end: async (token: string): Promise<boolean> => {
      const email = links.read(token);
      if (email !== undefined) await endNotices(parts, email);
      return email !== undefined;
    },
  };
};

export type RestockNotices = Readonly<ReturnType<typeof createRestockNotices>>;
