import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import { instant } from '#domain/shared/time.ts';
import type { MemberId } from '#domain/staff/events.ts';
import { staff, STAFF } from '#domain/staff/staff.ts';

import { admin, ordering, signedInAs, signedUp } from '../orders/testing/ordering.ts';
import { openShopForTest } from '../testing/test-shop.ts';

test('rights are written although the process that decided them died before it did', async () => {
  const shop = await openShopForTest({ people: { admin }, reacting: true });
  const at = await signedUp(shop, 'ravi@example.com');
  const { _id: member } = (await at.get('/api/user/fetch-user')).body as { readonly _id: MemberId };
  const metadata = { commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'test' } } as const;
  const now = instant('2026-11-21T09:00:00.000Z');
  await shop.execute(staff, STAFF, { type: 'AdmitMember', member, roles: ['auditor'], now }, metadata);
  await expect.poll(async () => (await at.get('/api/audit/security')).status).toBe(200);

  await shop.execute(
    staff,
    STAFF,
    { type: 'ChangeMember', member, disabled: true, invitations: [], now },
    { ...metadata, commandId: randomUUID() },
  );
  await expect.poll(async () => (await at.get('/api/audit/security')).status).toBe(401);
  expect((await ordering(shop).get('/api/admin/staff')).status).toBe(401);
  expect((await (await signedInAs(shop, admin)).get('/api/admin/staff')).status).toBe(200);
});
