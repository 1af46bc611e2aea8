import { pino } from 'pino';
import { expect, test } from 'vitest';

import { securityLog } from './security-log.ts';
import { openAccountsForTest } from './testing/accounts-shop.ts';

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

test('beyond the limit events are counted instead of kept in memory, and later events are written again', async () => {
  const { db, securityEvents } = await openAccountsForTest();
  const lines: string[] = [];
  const log = securityLog({ db, now: () => new Date(), log: pino({}, { write: (line) => lines.push(line) }) });
  for (let time = 0; time < 5_000; time++) log.record({ kind: 'cross_site_refused' });
  await log.flush();
  log.record({ kind: 'right_refused' });
  await log.flush();
  expect(lines.join()).toContain('"missed":4000');
  expect(await securityEvents('cross_site_refused')).toHaveLength(1_000);
  expect(await securityEvents('right_refused')).toHaveLength(1);
});
