import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { orderNumber, shopperId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { anOrder, anotherOrder } from '#domain/testing/carts.ts';
import { creditNote, invoice } from '#domain/testing/tax-documents.ts';
import { Applier } from '#projections/engine/applier.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { createTableSet } from '#projections/engine/table-set.ts';
import { taxDocuments } from '#projections/invoices/projector.ts';
import { taxDocumentQueries } from '#projections/invoices/queries.ts';
import { MemoryLog } from '#projections/testing/memory-log.ts';
import { openTestDatabase } from '#projections/testing/test-database.ts';

import { answerCache, type Claimed, type AnswerCache } from '../../accounts/idempotency/answer-cache.ts';
import { createReserve, type Reserve } from '../../orders/order-numbers.ts';
import { createVisitorUsers, type Visitors } from '../../orders/visitor-users.ts';
import { shopDatabase } from '../../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { answerCacheAt, taxDocumentsAt, reserveAt, sessionsAt, visitorsAt } from './test-doubles.ts';
import { SimulatedTables } from './simulated-tables.ts';

type Tried = {
  readonly newUser: () => Promise<string>;
  readonly answers: AnswerCache;
  readonly reserve: Reserve;
  readonly visitors: Visitors;
  openSession(): Promise<string>;
  endSession(id: string): Promise<void>;
  /** Makes all claims older by this many ms. */
  letPass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
};

const now = () => instant(new Date().toISOString());
const newUser = async (pool: pg.Pool): Promise<string> => {
  const text = 'insert into shop.users (address_hash, personal, created_at) values ($1, $1, now()) returning id';
  const { rows } = await pool.query<{ id: string }>(text, [randomBytes(32)]);
  return rows[0]?.id ?? '';
};

const inPostgres = async (): Promise<Tried> => {
  const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 4 });
  const db = shopDatabase(pool);
  const key = (name: string) => createHash('sha256').update(name).digest();
  return {
    answers: answerCache({ db, keys: { sealing: key('sealing'), naming: key('naming') }, isLogHere: true }),
    reserve: createReserve(db),
    visitors: createVisitorUsers(db, now),
    newUser: () => newUser(pool),
    openSession: async () => {
      const hash = key(randomUUID());
      const text = 'insert into shop.sessions (token_hash, visitor_id, created_at, seen_at) values ($1, $2, now(), now())';
      await pool.query(text, [hash, randomUUID()]);
      return hash.toString('hex');
    },
    endSession: async (id) => void (await pool.query('delete from shop.sessions where token_hash = $1', [Buffer.from(id, 'hex')])),
    letPass: async (milliseconds) => {
      const back = `interval '${milliseconds} ms'`;
      await pool.query(`update shop.kept_answers set claimed_until = claimed_until - ${back}, expires_at = expires_at - ${back}`);
    },
    close: () => pool.end(),
  };
};

const inSimulation = async (): Promise<Tried> => {
  let [names, clock] = [0, 0];
  const newId = () => (++names).toString(16).padStart(12, '0');
  const at = {
    tables: new SimulatedTables(() => 0),
    viaNetwork: async <Answer>(_: string, work: () => Answer | Promise<Answer>) => work(),
    milliseconds: () => clock,
    newId,
  };
  const sessions = sessionsAt(at);
  return {
    answers: answerCacheAt(at),
    reserve: reserveAt(at),
    visitors: visitorsAt(at),
    newUser: async () => randomUUID(),
    openSession: async () => (await sessions.openForVisitor()).session.id,
    endSession: async (id) => sessions.end({ id, begunAt: new Date(0), owner: { kind: 'visitor', id } }),
    letPass: async (milliseconds) => void (clock += milliseconds),
    close: async () => undefined,
  };
};

const answer = { status: 200, headers: {}, body: '{}', positions: 'cart.1' };

const ours = (claimed: Claimed) => {
  if (claimed.is !== 'ours') throw new Error(`The key is not ours: ${claimed.is}`);
  return claimed.claim;
};

describe.each([
  ['in Postgres', inPostgres],
  ['in the simulation', inSimulation],
])('the tables outside the event log, %s:', (_, open) => {
  let tried: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    tried = await open();
  });
  afterAll(() => tried.close());

  const asked = async (request = 'one') => ({ session: Buffer.from(await tried.openSession(), 'hex'), key: 'key', request });

  test('a key belongs to its first claimer, and others find it under way and later answered', async () => {
    const ask = await asked();
    const claim = ours(await tried.answers.claim(ask));
    expect(claim.isRepeated).toBe(false);
    expect(await tried.answers.claim(ask)).toEqual({ is: 'under way' });
    await claim.end(answer);
    expect(await tried.answers.claim(ask)).toEqual({ is: 'answered', answer });
    expect(await tried.answers.claim({ ...ask, request: 'another' })).toEqual({ is: 'other request' });
  });

  test('a released or expired key can be claimed again for the same command', async () => {
    const ask = await asked();
    const first = ours(await tried.answers.claim(ask));
    await first.end(null);
    const second = ours(await tried.answers.claim(ask));
    await tried.letPass(4_001);
    const third = ours(await tried.answers.claim(ask));
    expect([second, third].map(({ command, isRepeated }) => ({ command, isRepeated }))).toEqual(
      Array.from({ length: 2 }, () => ({ command: first.command, isRepeated: true })),
    );
    // The previous holder cannot store an answer.
    await second.end({ ...answer, status: 409 });
    expect(await tried.answers.claim(ask)).toEqual({ is: 'under way' });
  });

  test('a key can be used anew after a day', async () => {
    const ask = await asked();
    const first = ours(await tried.answers.claim(ask));
    await first.end(answer);
    await tried.letPass(24 * 3_600_000 + 1);
    const again = ours(await tried.answers.claim({ ...ask, request: 'another' }));
    expect(again.isRepeated).toBe(false);
    expect(again.command).not.toBe(first.command);
  });

  test('keys are deleted with their session', async () => {
    const ask = await asked();
    await ours(await tried.answers.claim(ask)).end(answer);
    await tried.endSession(ask.session.toString('hex'));
    expect(await tried.answers.claim(ask)).toEqual({ is: 'without session' });
  });

  test('an order number is reserved once, even when it is drawn twice at once', async () => {
    const [one, two, three] = ['RH-AAAAAAA2', 'RH-AAAAAAA3', 'RH-AAAAAAA4'].map(orderNumber);
    if (!one || !two || !three) throw new Error('Three numbers');
    expect([...(await tried.reserve([one, two, two]))].sort()).toEqual([one, two]);
    expect(await tried.reserve([two, three])).toEqual([three]);
  });

  test('a visitor belongs to the first user they sign in as, and is unclaimed until their orders are claimed', async () => {
    const [visitor, other] = [shopperId(randomUUID()), shopperId(randomUUID())];
    const [meera, ravi] = [await tried.newUser(), await tried.newUser()];
    expect(await tried.visitors.userOf(visitor)).toBeUndefined();
    expect(await tried.visitors.becomes(visitor, meera)).toBe(meera);
    expect(await tried.visitors.becomes(visitor, ravi)).toBe(meera);
    expect(await tried.visitors.userOf(visitor)).toBe(meera);
    await tried.visitors.becomes(other, meera);
    expect(new Set(await tried.visitors.unclaimedOf(shopperId(meera)))).toEqual(new Set([visitor, other]));
    await tried.visitors.claimed(other);
    expect(await tried.visitors.unclaimedOf(shopperId(meera))).toEqual([visitor]);
  });
});

test('the simulation and Postgres return the same invoices, credit notes and stream ends', async () => {
  const database = await openTestDatabase();
  try {
    const log = new MemoryLog();
    log.pageSize = Infinity;
    await rebuild(taxDocuments, log, database, { signal: new AbortController().signal });
    const [thisYear, lastYear, notes] = ['invoices-2026-2027', 'invoices-2025-2026', 'credit-notes-2026-2027'] as const;
    log.append(thisYear, invoice(), invoice({ order: anotherOrder }));
    log.append(notes, creditNote(), creditNote({ order: anotherOrder }), creditNote());
    const tables = new SimulatedTables(() => 0);
    for (const storage of [tables.models, database.storage]) {
      const live = createTableSet(taxDocuments, 'live');
      const held = await storage.claim(live, 'test');
      if (!held) throw new Error('A new database is held by somebody');
      await new Applier(storage, live, held).apply(await log.page(START, Infinity, taxDocuments.categories));
    }
    const viaNetwork = async <Answer>(_: string, work: () => Answer | Promise<Answer>) => work();
    const simulated = taxDocumentsAt({ tables, viaNetwork, milliseconds: () => 0, newId: randomUUID });
    for (const stream of [thisYear, lastYear, notes])
      for (const order of [anOrder, anotherOrder, anOrder.replace('0', '1') as typeof anOrder])
        expect(await simulated.issued(stream, order)).toEqual(await taxDocumentQueries(database).issued(stream, order));
    expect((await simulated.issued(notes, anOrder)).taxDocuments).toHaveLength(2);
  } finally {
    await database.close();
  }
});
