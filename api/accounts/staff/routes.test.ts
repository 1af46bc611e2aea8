import { describe, expect, test, vi } from 'vitest';

import type { StaffEvent } from '#domain/staff/events.ts';
import type { StaffRole } from '#domain/staff/duties.ts';
import { STAFF } from '#domain/staff/staff.ts';

import { admin as OWNER, ordering, signedInAs, signedUp, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { openShopForFile } from '../../testing/test-shop.ts';
import { browser } from '../testing/browser.ts';
import { logIn, PASSWORD } from '../testing/people.ts';
import type { StaffView } from './routes.ts';

const people = { admin: OWNER };
const shop = await openShopForFile({ people, projecting: true });
const other = await openShopForFile({ people, databaseUrl: shop.databaseUrl });
const owner = await signedInAs(shop, OWNER);

type Body = {
  readonly _id: string;
  readonly staff: readonly StaffView[];
  readonly code: string;
  readonly user: { readonly _id: string; readonly roles: unknown };
};
const bodyOf = ({ body }: { readonly body: unknown }): Body => body as Body;
const events = async () => (await shop.store.read<StaffEvent>(STAFF)).events;
const listed = async (email: string): Promise<StaffView | undefined> =>
  bodyOf(await owner.get('/api/admin/staff')).staff.find((each) => each.email === email);

let addresses = 0;
const newAddress = (): string => `member-${++addresses}@example.com`;
const form = { name: 'Ravi', phone: '+91 98765 43210', password: PASSWORD, confirm_password: PASSWORD };

const mailsTo = async (to: string) => {
  const { body } = await browser(shop.url).get('/dev/mailbox/messages');
  return (body as { readonly to: string; readonly text: string; readonly subject: string }[]).filter(
    (mail) => mail.to === to && mail.subject.includes('invited'),
  );
};
const tokenOf = async (email: string, place = 1): Promise<string> => {
  await vi.waitFor(async () => expect(await mailsTo(email)).toHaveLength(place), { timeout: 30_000 });
  return /token=([\w-]+)/.exec((await mailsTo(email))[0]?.text ?? '')?.[1] ?? expect.fail('no link');
};
const invite = async (email: string, ...roles: StaffRole[]): Promise<string> => {
  const before = (await mailsTo(email)).length;
  const answer = await owner.post('/api/admin/staff', { email, roles });
  expect(answer.status).toBe(201);
  return tokenOf(email, before + 1);
};
const accept = (at: OrderingBrowser, token: string, body: object = form) => at.post('/api/user/invitation', { token, ...body });

const join = async (...roles: StaffRole[]): Promise<{ readonly at: OrderingBrowser; readonly id: string; readonly email: string }> => {
  const email = newAddress();
  const at = ordering(shop);
  const joined = await accept(at, await invite(email, ...roles));
  expect(joined.status).toBe(200);
  return { at, id: bodyOf(joined).user._id, email };
};
const change = (id: string, body: object, by = owner) => by.send('PUT', `/api/admin/staff/${id}`, { body });

/** Closes an account for ever while a request waits for its row, as an erasure does. */
const closeDuring = async (id: string, request: () => Promise<unknown>): Promise<void> => {
  const client = await shop.pool.connect();
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  try {
    await client.query('begin');
    await client.query('select from shop.users where id = $1 for update', [id]);
    const answered = request();
    await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBeGreaterThan(0);
    await client.query(
      `insert into shop.erasures (user_id, subjects, addresses, recipient, asked_at, finished_at)
      values ($1, '{}', '{}', '', now(), now())`,
      [id],
    );
    await client.query('update shop.users set disabled = true where id = $1', [id]);
    await client.query('commit');
    await answered;
  } finally {
    client.release();
  }
};

describe('an invitation', () => {
  test('makes an account with its roles and opens a session', async () => {
    const email = newAddress();
    const token = await invite(email, 'money', 'orders');
    expect(await listed(email)).toMatchObject({ name: '', roles: ['orders', 'money'], disabled: false, invitedUntil: expect.any(String) });
    const at = ordering(shop);
    const { status, body } = await accept(at, token);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        user: {
          _id: expect.any(String),
          name: 'Ravi',
          email,
          phone: form.phone,
          isAdmin: true,
          isAuditor: false,
          roles: ['orders', 'money'],
          totp: false,
        },
      },
    });
    expect((await at.get('/api/admin/orders')).status).toBe(200);
    expect((await at.get('/api/admin/payments')).status).toBe(200);
    expect((await at.get('/api/admin/stock')).status).toBe(403);
    const row = await listed(email);
    expect(row).toMatchObject({ name: 'Ravi', roles: ['orders', 'money'], disabled: false, lastSeenAt: expect.any(String) });
    expect(row).not.toHaveProperty('invitedUntil');
    expect((await logIn(ordering(shop), { email, password: PASSWORD })).status).toBe(200);
  });

  test('is good once, however many accept it at once', async () => {
    const token = await invite(newAddress(), 'catalogue');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => accept(ordering(turn % 2 === 0 ? shop : other), token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 400 && status !== 401)).toEqual([]);
    expect((await accept(ordering(shop), token)).status).toBe(400);
  });

  test('is replaced by a newer one to the address', async () => {
    const email = newAddress();
    const [older, newer] = [await invite(email, 'money'), await invite(email, 'orders')];
    expect(await accept(ordering(shop), older)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('not valid any more') },
    });
    expect((await accept(ordering(shop), newer)).body).toMatchObject({ user: { roles: ['orders'] } });
  });

  test('is over after 72 hours', async () => {
    const email = newAddress();
    const token = await invite(email, 'money');
    const hours = (count: number) =>
      shop.pool.query(
        `update shop.staff_invitations set expires_at = now() - make_interval(mins => $1) where token_hash = sha256($2::text::bytea)`,
        [count, token],
      );
    const { _id = '', invitedUntil = '' } = (await listed(email)) ?? {};
    const inHours = (Date.parse(invitedUntil) - Date.now()) / 3_600_000;
    expect(inHours).toBeGreaterThan(71);
    expect(inHours).toBeLessThanOrEqual(72);
    await hours(1);
    expect((await accept(ordering(shop), token)).status).toBe(400);
    expect(await listed(email)).toBeUndefined();
    expect((await change(_id, { roles: ['orders'] })).status).toBe(404);
  });

  test('is taken back by taking its roles', async () => {
    const email = newAddress();
    const token = await invite(email, 'money');
    const id = (await listed(email))?._id ?? '';
    expect(await change(id, { roles: ['orders'] })).toMatchObject({ status: 200, body: { _id: id, email, roles: ['orders'] } });
    expect(await listed(email)).toMatchObject({ roles: ['orders'] });
    expect(await change(id, { roles: [] })).toMatchObject({ status: 200, body: { roles: [] } });
    expect(await listed(email)).toBeUndefined();
    expect((await accept(ordering(shop), token)).status).toBe(400);
  });

  test('is accepted by an account while signed in as it, whose older sessions end', async () => {
    const email = newAddress();
    const [at, elsewhere] = [await signedUp(shop, email), ordering(shop)];
    await logIn(elsewhere, { email, password: PASSWORD });
    const token = await invite(email, 'auditor');
    expect(await accept(ordering(shop), token, {})).toMatchObject({ status: 401, body: { code: 'sign_in_to_join' } });
    expect(await accept(await signedUp(shop, newAddress()), token, {})).toMatchObject({
      status: 403,
      body: { code: 'invitation_of_another' },
    });
    expect((await at.get('/api/audit/events')).status).toBe(403);
    expect(await accept(at, token, {})).toMatchObject({
      status: 200,
      body: { user: { isAdmin: false, isAuditor: true, roles: ['auditor'] } },
    });
    expect((await at.get('/api/audit/events')).status).toBe(200);
    expect((await elsewhere.get('/api/audit/events')).status).toBe(401);
  });

  test('replaces the password that a stranger has given to the address, and never a proven account', async () => {
    const email = newAddress();
    await ordering(shop).post('/api/user/register', {
      ...form,
      email,
      password: 'what a stranger knows',
      confirm_password: 'what a stranger knows',
    });
    const token = await invite(email, 'money');
    expect((await accept(ordering(shop), token)).status).toBe(200);
    expect((await logIn(ordering(shop), { email, password: 'what a stranger knows' })).status).toBe(401);
    expect((await logIn(ordering(shop), { email, password: PASSWORD })).status).toBe(200);
  });

  test('is not accepted by an account that is closed at that moment, which would be on the staff for ever', async () => {
    const email = newAddress();
    const at = await signedUp(shop, email);
    const id = bodyOf(await at.get('/api/user/fetch-user'))._id;
    const token = await invite(email, 'owner');
    const before = (await events()).length;
    await closeDuring(id, () => accept(at, token, {}));
    expect(await events()).toHaveLength(before);
  });

  test('names every wrong field', async () => {
    expect(await owner.post('/api/admin/staff', { email: 'nobody', roles: [] })).toMatchObject({
      status: 400,
      body: { errors: { email: expect.any(String), roles: 'Choose at least one role' } },
    });
    expect(await owner.post('/api/admin/staff', { email: newAddress(), roles: ['king'] })).toMatchObject({ status: 400 });
    const token = await invite(newAddress(), 'money');
    expect(await accept(ordering(shop), token, { ...form, name: '', confirm_password: 'another' })).toMatchObject({
      status: 400,
      body: { errors: { name: 'Required', confirm_password: expect.any(String) } },
    });
    expect((await accept(ordering(shop), 'no token at all')).status).toBe(400);
  });

  test('is not for somebody on the staff', async () => {
    const { email } = await join('money');
    expect(await owner.post('/api/admin/staff', { email, roles: ['orders'] })).toMatchObject({
      status: 409,
      body: { code: 'already_on_staff' },
    });
  });

  test('with an Idempotency-Key is one invitation and one mail', async () => {
    const email = newAddress();
    const ask = () =>
      owner.send('POST', '/api/admin/staff', { body: { email, roles: ['money'] }, headers: { 'Idempotency-Key': `invite ${email}` } });
    const answers = [await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map((answer) => bodyOf(answer)._id)).toEqual(answers.map(() => bodyOf(answers[0] ?? expect.fail())._id));
    expect((await accept(ordering(shop), await tokenOf(email))).status).toBe(200);
  });
});

describe('a member', () => {
  test('has lost a right at the next request, in every process', async () => {
    const { at, id } = await join('orders', 'money');
    const there = ordering(other);
    for (const [name, value] of at.cookies) there.cookies.set(name, value);
    expect((await there.get('/api/admin/payments')).status).toBe(200);
    expect(await change(id, { roles: ['orders'] })).toMatchObject({ status: 200, body: { _id: id, roles: ['orders'] } });
    expect((await there.get('/api/admin/payments')).status).toBe(403);
    expect((await at.get('/api/admin/payments')).status).toBe(403);
    expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ roles: ['orders'] });
    await change(id, { roles: [] });
    expect((await there.get('/api/admin/orders')).status).toBe(403);
    expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ isAdmin: false, roles: [] });
  });

  test('that is disabled has no session and cannot sign in, until enabled', async () => {
    const { at, id, email } = await join('money');
    const waits = { token_hash: Buffer.alloc(32, 1), user_id: id, how: 'password', expires_at: new Date(Date.now() + 600_000) };
    await shop.db.insertInto('login_tokens').values(waits).execute();
    expect(await change(id, { disabled: true })).toMatchObject({ status: 200, body: { disabled: true, roles: ['money'] } });
    expect(await shop.db.selectFrom('login_tokens').select('how').where('user_id', '=', id).execute()).toEqual([]);
    expect((await at.get('/api/admin/payments')).status).toBe(401);
    expect((await logIn(at, { email, password: PASSWORD })).status).toBe(403);
    await change(id, { disabled: false });
    expect((await logIn(at, { email, password: PASSWORD })).status).toBe(200);
    expect((await at.get('/api/admin/payments')).status).toBe(200);
  });

  test('does not get back what was taken by an older invitation', async () => {
    const email = newAddress();
    const at = await signedUp(shop, email);
    const token = await invite(email, 'money');
    const { _id: id } = (await at.get('/api/user/fetch-user')).body as Body;
    expect((await change(id, { roles: ['orders'] })).status).toBe(404);
    await accept(at, token, {});
    await change(id, { roles: [] });
    const again = await invite(email, 'money');
    await change(id, { roles: ['orders'] });
    await change(id, { roles: [] });
    expect((await accept(at, again, {})).status).toBe(400);
  });

  test.each([[{}], [{ roles: 'owner' }], [{ roles: ['king'] }], [{ disabled: 'yes' }]])('is not changed by %j', async (body) => {
    const { id } = await join('money');
    const before = (await events()).length;
    expect((await change(id, body)).status).toBe(400);
    expect((await events()).length).toBe(before);
  });

  test.each(['nobody', '0b8c4f1e-52aa-4d3c-9b1f-6a0d2c7e91f4'])('must exist: %s', async (id) =>
    expect((await change(id, { roles: ['money'] })).status).toBe(404),
  );

  test('whose account is being closed for ever stays closed when rights are written at that moment', async () => {
    const { at, id } = await join('orders');
    await closeDuring(id, () => change(id, { roles: ['money'] }));
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
  });

  test('erases their account and is no longer listed', async () => {
    const { at, id, email } = await join('orders');
    expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    expect(await listed(email)).toBeUndefined();
    expect((await change(id, { roles: ['orders'] })).status).toBe(404);
  });
});

describe('the last enabled owner', () => {
  const LAST = { status: 409, body: { code: 'last_owner' } };
  const ownId = async (): Promise<string> => (await listed(OWNER.email))?._id ?? expect.fail('no owner');

  test('keeps role, session and account', async () => {
    const id = await ownId();
    expect(await change(id, { roles: ['orders'] })).toMatchObject(LAST);
    expect(await change(id, { roles: [] })).toMatchObject(LAST);
    expect(await change(id, { disabled: true })).toMatchObject(LAST);
    expect(await owner.post('/api/user/erase', { password: OWNER.password })).toMatchObject(LAST);
    expect((await owner.get('/api/admin/staff')).status).toBe(200);
  });

  test("is one of two who take each other's role at once, in two processes", async () => {
    for (let round = 0; round < 5; round++) {
      const second = await join('owner');
      const there = ordering(other);
      for (const [name, value] of second.at.cookies) there.cookies.set(name, value);
      const first = await ownId();
      const answers = await Promise.all([change(second.id, { roles: [] }), change(first, { roles: [] }, there)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const rows = await shop.db.selectFrom('users').select(['id', 'roles']).where('id', 'in', [first, second.id]).execute();
      expect(rows.filter(({ roles }) => roles.includes('owner'))).toHaveLength(1);
      // The next round begins with the owner of the environment.
      if (rows.find(({ id }) => id === second.id)?.roles.includes('owner')) {
        expect((await change(first, { roles: ['owner'] }, second.at)).status).toBe(200);
        expect((await change(second.id, { roles: [] })).status).toBe(200);
      }
    }
  });
});

test('the security log has each change, once and in order', async () => {
  const { id } = await join('orders');
  await change(id, { roles: ['money'], disabled: true });
  await change(id, { disabled: false });
  const { rows } = await shop.pool.query<{ kind: string; detail: object }>(
    `select kind, detail from shop.security_log where subject = $1 and kind like 'staff%' order by id`,
    [`user:${id}`],
  );
  const by = (await listed(OWNER.email))?._id;
  expect(rows).toEqual([
    { kind: 'staff_joined', detail: { by: id, roles: 'orders', invitation: expect.any(String) } },
    { kind: 'staff_roles_changed', detail: { by, roles: 'money' } },
    { kind: 'staff_disabled', detail: { by } },
    { kind: 'staff_enabled', detail: { by } },
  ]);
  const { rows: invited } = await shop.pool.query(
    `select detail from shop.security_log where kind = 'staff_invited' order by id desc limit 1`,
  );
  expect(invited).toEqual([{ detail: { by, roles: 'orders', invitation: expect.any(String) } }]);
});
