import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { cartStream } from '#domain/cart/cart.ts';
import { orderStream } from '#domain/order/order.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { browser } from '../accounts/testing/browser.ts';
import { logIn, PASSWORD } from '../accounts/testing/people.ts';
import { change } from '../cart/testing/shopping.ts';
import { bySystem } from '../orders/order-payment.ts';
import { ordering, sameBrowser } from '../orders/testing/ordering.ts';
import { openLogger } from '../platform/logger.ts';
import { withClient } from '../platform/postgres/postgres-client.ts';
import { postgresReactions } from '../reactions/postgres-reaction-storage.ts';
import type { ReactionStorage } from '../reactions/reaction-storage.ts';
import { runReaction } from '../reactions/runner.ts';
import { whenOrderMovesTellShopper } from '../reactions/when-order-moves-tell-shopper.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { copyDatabase } from '../testing/database-per-test.ts';
import { catchUp, openShopForTest, openTestShop, type TestShop } from '../testing/test-shop.ts';
import { steps, type StepName } from './steps.ts';
import { findDifferences, findTablesWith, join, listTexts, personCalled, withHistory } from './testing/person.ts';

const running = { projecting: true, reacting: true } as const;

describe('an interrupted erasure', () => {
  let shop: TestShop;
  let breakAfter: StepName | undefined;
  const onErasureStep = (step: StepName): void => {
    if (step === breakAfter) throw new Error(`Killed after ${step}`);
  };

  beforeAll(async () => {
    shop = await openTestShop({ onErasureStep, ...running });
    await change([shop], oudSaffronMajlis, add());
  });
  afterAll(() => shop.close());

  test('locks the user out after whichever step, and is finished by the next process before it opens', async () => {
    const people = steps.map((_, index) => personCalled(`Person${index}x`));
    const histories = await Promise.all(people.map((who) => withHistory(shop, who, oudSaffronMajlis)));
    await catchUp(shop);
    for (const [index, who] of people.entries()) {
      breakAfter = steps[index]?.[0];
      expect(await histories[index]?.at.post('/api/user/erase', { password: PASSWORD })).toMatchObject({
        status: 202,
        body: { message: /is closed/ },
      });
      expect((await logIn(browser(shop.url), who)).status).toBe(403);
    }
    // The shop itself looks once a minute, and may hold one of them.
    breakAfter = undefined;
    const next = await openShopForTest({ databaseUrl: shop.databaseUrl });
    expect(await findTablesWith(shop.databaseUrl, people.flatMap(listTexts))).toEqual([]);
    for (const who of people) await expect.poll(async () => (await logIn(browser(next.url), who)).status, { interval: 1_000 }).toBe(401);
    await catchUp(shop);
    expect(await findDifferences(shop)).toEqual([]);
  });

  test('that fails again after its keys are gone delays neither the others nor the start, and is named by readiness', async () => {
    breakAfter = 'the keys';
    for (const who of [personCalled('Kausar'), personCalled('Latifa')]) {
      const at = ordering(shop);
      await join(shop, at, who);
      expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(202);
    }
    // The shop looks for unfinished erasures once a minute, and could otherwise hold one of the two.
    await shop.close();
    const database = new pg.Pool({ connectionString: shop.databaseUrl });
    onTestFinished(() => database.end());
    let toFail = 1;
    const onFirstStep = () => {
      if (toFail-- > 0) throw new Error('It fails again');
    };
    const next = { databaseUrl: shop.databaseUrl };
    const started = await openTestShop({ ...next, onErasureStep: onFirstStep });
    const parts = async () => ((await (await fetch(`${started.url}/readyz`)).json()) as { parts: Record<string, string> }).parts;
    await expect.poll(async () => (await parts())['erasures']).toBe('1 not finished yet');
    await started.close();
    const unfinished = async () => (await database.query('select from shop.erasures where finished_at is null')).rowCount;
    expect(await unfinished()).toBe(1);
    await (await openTestShop(next)).close();
    expect(await unfinished()).toBe(0);
  });
});

test('an erasure that fails before its keys are gone ends the start', async () => {
  const shop = await openTestShop({ projecting: true, onErasureStep: () => expect.fail('Killed') });
  const who = personCalled('Nasreen');
  const at = ordering(shop);
  await change([shop], oudSaffronMajlis, add());
  await join(shop, at, who);
  await at.buy({ shipping: who.shipping });
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(202);
  await shop.close();
  const openAgain = () => openTestShop({ databaseUrl: shop.databaseUrl, onErasureStep: () => expect.fail('Killed again') });
  await expect(openAgain()).rejects.toThrow('Killed again');
  // The key of the address alone decrypts what was sent without signing in.
  await withClient({ connectionString: shop.databaseUrl, application_name: 'test' }, (client) =>
    client.query(`update shop.subject_keys set key = null, wrapped_by = null, erased_at = now()
      from shop.erasures where subject = any (subjects)`),
  );
  await expect(openAgain()).rejects.toThrow('Killed again');
});

test('an account with damaged events and a cart of a thousand changes is erased beside a long outbox', async () => {
  const shop = await openShopForTest({ projecting: true });
  await change([shop], oudSaffronMajlis, add());
  const who = personCalled('Shabnam');
  const at = ordering(shop);
  const user = await join(shop, at, who);
  const { _id: id } = await at.buy({ shipping: who.shipping }, 'Prepaid');
  const cart = cartStream(user);
  const { head } = await shop.store.read(cart);
  const product = oudSaffronMajlis;
  const changes = Array.from({ length: 1_000 }, (_, n) => ({
    type: 'QuantityChanged',
    data: { productId: product, quantity: 1 + (n % 9) },
  }));
  await shop.store.append(cart, head, changes, bySystem('a thousand changes'));
  await shop.pool.query(
    `insert into shop.outbox (cause, state, next_attempt_at, created_at)
     select 'order-placed:' || gen_random_uuid(), 'sent', now(), now() from generate_series(1, 20000)`,
  );
  await catchUp(shop);
  await shop.pool.query(`update log.events set data = '"damaged"' where stream = $1`, [orderStream(id)]);
  shop.forget();
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  expect((await shop.pool.query('select key from shop.subject_keys where subject = $1', [user])).rows).toEqual([{ key: null }]);
});

test('a mail to a former address that is queued after the request goes too', async () => {
  const shop = await openTestShop({ onErasureStep: (step) => step === 'snapshots' && expect.fail('Killed') });
  const [who, email] = [personCalled('Qudsia'), personCalled('Qudsiya').email];
  const at = ordering(shop);
  await join(shop, at, who);
  await at.post('/api/user/email', { email, password: PASSWORD });
  expect((await at.post('/api/user/email/confirm', { code: await mailedCode(shop, email) })).status).toBe(200);
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(202);
  for (const to of [who.email, email]) {
    const mail = { to, subject: 'Late', text: 'Late', html: 'Late' };
    await shop.people.outbox.put(shop.db, `late:${to}`, mail);
    // It waits, so that it is still there in the next process.
    await shop.pool.query(`update shop.outbox set next_attempt_at = now() + interval '1 day' where cause = $1`, [`late:${to}`]);
  }
  await shop.close();
  const again = await openShopForTest({ databaseUrl: shop.databaseUrl });
  expect((await again.pool.query(`select cause from shop.outbox where cause like 'late:%'`)).rows).toEqual([]);
  expect(await findTablesWith(shop.databaseUrl, [who.email, email, who.name])).toEqual([]);
});

test('a mail that was made before the erasure and is not queued yet is not sent', async () => {
  const here = await openShopForTest({ projecting: true });
  await change([here], oudSaffronMajlis, add());
  const who = personCalled('Rukhsana');
  const at = ordering(here);
  await join(here, at, who);
  await at.buy({ shipping: who.shipping });

  const storage = postgresReactions(here.db, here.people.outbox);
  let goOn = (): void => {};
  const erased = new Promise<void>((resolve) => (goOn = resolve));
  const ending = new AbortController();
  const made = new Promise<unknown>((resolve) => {
    const commit: ReactionStorage['commit'] = async (key, held, changes) => {
      resolve(changes.mails);
      await erased;
      return storage.commit(key, held, changes);
    };
    const parts = { feed: here.store, log: openLogger('silent'), storage: { ...storage, commit } };
    void runReaction(whenOrderMovesTellShopper({ ...here, publicUrl: here.url }), parts, ending.signal);
  });
  expect(JSON.stringify(await made)).toContain(who.shipping.address1);
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  goOn();
  const head = await here.store.head(['order']);
  const position = async () => (await here.pool.query(`select position from shop.reactions where name = 'order-mails'`)).rows[0]?.position;
  await expect.poll(position).toBe(String(head));
  expect((await here.pool.query(`select cause from shop.outbox where cause like 'order-placed:%'`)).rows).toEqual([]);
  ending.abort();
});

describe('a database restored from before an erasure', () => {
  const who = personCalled('Farhana');
  /** This shop is closed. The user was erased in a copy of its database, of which only the users were restored. */
  let shop: TestShop;
  let copy: string;
  let orders: string[];

  beforeAll(async () => {
    shop = await openTestShop(running);
    await change([shop], oudSaffronMajlis, add());
    const history = await withHistory(shop, who, oudSaffronMajlis);
    ({ orders } = history);
    await catchUp(shop);
    await shop.close();
    copy = await copyDatabase(shop.databaseUrl);
    const later = await openTestShop({ databaseUrl: copy, copyOf: shop.databaseUrl, people: { dataDir: shop.dataDir } });
    await later.pool.query('create table public.kept as table shop.users');
    expect((await sameBrowser(history.at, later).post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    await later.pool.query('insert into shop.users table public.kept; drop table public.kept');
    await later.close();
  });

  test('has no data of the user when the shop opens', async () => {
    expect(await findTablesWith(shop.databaseUrl, listTexts(who))).toContain('shop.caught_mail');
    // The incomplete line looks as if a process had been killed while writing.
    await appendFile(path.join(shop.dataDir, 'erasures.ndjson'), '\n{"user":"0b8c4f1e-52aa-8d3c');
    const again = await openShopForTest({ databaseUrl: shop.databaseUrl, projecting: true });
    expect(await findTablesWith(shop.databaseUrl, listTexts(who))).toEqual([]);
    await catchUp(again);
    expect(await findDifferences(again)).toEqual([]);
    const { events } = await again.store.read(`order-${orders[0] ?? ''}`);
    expect(events[0]?.data).toMatchObject({ shippingAddress: { name: 'erased' } });
  });

  test('erases only users who came back with the backup, and only once', async () => {
    const bystander = personCalled('Bystander');
    const first = await openTestShop({ databaseUrl: shop.databaseUrl });
    await join(first, ordering(first), bystander);
    await first.close();
    const again = await openShopForTest({ databaseUrl: shop.databaseUrl });
    expect((await logIn(browser(again.url), bystander)).status).toBe(200);
    const { rows } = await again.pool.query(`select count(*)::integer as erased from shop.security_log where kind = 'erased'`);
    expect(rows).toEqual([{ erased: 1 }]);
  });

  test('may be empty', async () => {
    const empty = await openShopForTest({ people: { dataDir: shop.dataDir } });
    expect((await browser(empty.url).get('/api/product')).status).toBe(200);
    expect((await empty.pool.query('select 1 from shop.erasures where finished_at is null')).rows).toEqual([]);
  });

  test('is erased again even if only some tables were restored and the list says that all erasures were finished', async () => {
    const database = new pg.Pool({ connectionString: copy });
    onTestFinished(() => database.end());
    const countAccounts = async () => (await database.query('select from shop.users')).rowCount;
    expect(await countAccounts()).toBe(1);
    await openShopForTest({ databaseUrl: copy, copyOf: shop.databaseUrl, people: { dataDir: shop.dataDir } });
    expect(await countAccounts()).toBe(0);
    expect(await findTablesWith(copy, listTexts(who))).toEqual([]);
  });
});
