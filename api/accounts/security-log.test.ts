import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';

import { addSecurityEvent, pruneSecurityLog, securityLog, type SecurityKind } from './security-log.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { openAccountsForTest, openAccountsShop } from './testing/accounts-shop.ts';

test('rows of the security log can be neither changed nor deleted', async () => {
  const { pool, accounts, securityEvents } = await openAccountsForTest();
  accounts.securityLog.record({
    kind: 'login_failed',
    subject: 'user:1',
    address: '127.0.0.1',
    requestId: 'a-request',
    detail: { how: 'password' },
  });
  expect(await securityEvents()).toMatchObject([
    { kind: 'login_failed', subject: 'user:1', address: '127.0.0.1', request_id: 'a-request', detail: { how: 'password' } },
  ]);
  for (const change of ["update shop.security_log set kind = 'signed_in'", 'delete from shop.security_log', 'truncate shop.security_log'])
    await expect(pool.query(change)).rejects.toThrow('only ever added');
});

const HOUR_MS = 3_600_000;

/** Opens a log whose clock the test sets, beside the tables of a shop. */
const openLog = async () => {
  const { db, close } = await openAccountsShop();
  onTestFinished(close);
  let at = Date.parse('2026-11-28T10:00:00Z');
  const log = securityLog({ db, now: () => new Date(at), log: pino({ level: 'silent' }) });
  const rows = async (kind: SecurityKind) => {
    await log.flush();
    return db.selectFrom('security_log').selectAll().where('kind', '=', kind).orderBy('id').execute();
  };
  return { log, rows, pass: (ms: number) => (at += ms) };
};

describe('refusals, which strangers cause as often as they like,', () => {
  const refusal = (address: string, path = '/api/contact') => ({ kind: 'cross_site_refused', address, detail: { path } }) as const;

  test('of one address in a minute are one row with a count', async () => {
    const { log, rows, pass } = await openLog();
    for (let time = 0; time < 500; time++) log.record(refusal('203.0.113.7', `/api/${time}`));
    log.record(refusal('203.0.113.8'));
    log.record({ ...refusal('203.0.113.7'), kind: 'right_refused' });
    pass(60_000);
    log.record(refusal('203.0.113.7', '/api/later'));
    const found = (await rows('cross_site_refused')).map(({ address, detail }) => ({ address, detail }));
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        { address: '203.0.113.7', detail: { path: '/api/0', count: 500 } },
        { address: '203.0.113.8', detail: { path: '/api/contact' } },
        { address: '203.0.113.7', detail: { path: '/api/later' } },
      ]),
    );
    expect(await rows('right_refused')).toHaveLength(1);
  });

  test('name at most 200 characters of a path', async () => {
    const { log, rows } = await openLog();
    log.record(refusal('203.0.113.7', `/${'x'.repeat(10_000)}`));
    expect((await rows('cross_site_refused'))[0]?.detail).toEqual({ path: `/${'x'.repeat(199)}` });
  });

  test('are at most a thousand rows in an hour, with a row that counts the others; other events are not bounded', async () => {
    const { log, rows, pass } = await openLog();
    for (let each = 0; each < 1_500; each++) log.record(refusal(`198.51.${each >> 8}.${each & 255}`));
    log.record({ kind: 'signed_in', subject: 'user:1' });
    expect(await rows('cross_site_refused')).toHaveLength(1_000);
    expect((await rows('refusals_left_out')).map(({ detail }) => detail)).toEqual([{ count: 500 }]);
    expect(await rows('signed_in')).toHaveLength(1);
    pass(HOUR_MS);
    log.record(refusal('203.0.113.7'));
    expect(await rows('cross_site_refused')).toHaveLength(1_001);
  });
});

test('events that cannot be written in time are counted in a row instead of kept in memory', async () => {
  const { log, rows } = await openLog();
  for (let time = 0; time < 1_200; time++) log.record({ kind: 'signed_in', subject: `user:${time}` });
  expect(await rows('signed_in')).toHaveLength(1_000);
  expect((await rows('refusals_left_out')).map(({ detail }) => detail)).toEqual([{ count: 200 }]);
});

test('the owner of the tables prunes it, which leaves a row; nobody else can', async () => {
  const databaseUrl = await freshDatabase();
  const { db, close } = await openAccountsShop({ databaseUrl });
  onTestFinished(close);
  const at = new Date('2026-03-01T00:00:00Z');
  for (const day of ['2026-01-31', '2026-02-02']) await addSecurityEvent(db, { kind: 'signed_in' }, new Date(day));
  expect(await pruneSecurityLog(databaseUrl, new Date('2026-02-01T00:00:00Z'), at)).toBe(1);
  const left = await db.selectFrom('security_log').select(['kind', 'at', 'detail']).orderBy('id').execute();
  expect(left).toEqual([
    { kind: 'signed_in', at: new Date('2026-02-02T00:00:00Z'), detail: {} },
    { kind: 'pruned', at, detail: { before: '2026-02-01T00:00:00.000Z', rows: 1 } },
  ]);
  await expect(db.deleteFrom('security_log').execute()).rejects.toThrow('only ever added');
});
