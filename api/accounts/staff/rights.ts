import { sql } from 'kysely';

import type { Recorded } from '#domain/event-store.ts';
import type { StaffEvent } from '#domain/staff/events.ts';
import { sortRoles } from '#domain/staff/duties.ts';
import { staff, STAFF, type Member, type Staff } from '#domain/staff/staff.ts';
import { anyOf } from '#projections/storage/prepare.ts';

import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import type { Shop } from '../../shop.ts';
import { addSecurityEvent, userSubject, type SecurityKind } from '../security-log.ts';
import { endAccess } from '../sessions/session-store.ts';

export type RightsParts = { readonly db: ShopDatabase; readonly store: Pick<Shop['store'], 'read'> };

const KINDS: Readonly<Record<StaffEvent['type'], SecurityKind>> = {
  StaffInvited: 'staff_invited',
  InvitationWithdrawn: 'invitation_withdrawn',
  StaffJoined: 'staff_joined',
  StaffRolesChanged: 'staff_roles_changed',
  StaffDisabled: 'staff_disabled',
  StaffEnabled: 'staff_enabled',
  StaffLeft: 'staff_left',
};

const addToSecurityLog = (tx: ShopDatabase, { type, data, metadata }: Recorded<StaffEvent>): Promise<void> => {
  const { actor, correlationId, recordedAt } = metadata;
  const detail = {
    by: actor.kind === 'system' ? 'environment' : actor.id,
    ...('roles' in data && { roles: data.roles.join(', ') }),
    ...('invitation' in data && data.invitation !== null && { invitation: data.invitation }),
  };
  const subject = 'member' in data ? userSubject(data.member) : undefined;
  return addSecurityEvent(tx, { kind: KINDS[type], subject, requestId: correlationId, detail }, new Date(recordedAt));
};

/** Writes what was decided about these accounts. Those whose data are being erased stay closed. */
const writeMembers = async (tx: ShopDatabase, { members }: Staff): Promise<void> => {
  const known: ReadonlyMap<string, Member> = members;
  const ids = [...known.keys()];
  // Locked before the list of erasures is read: an erasure under way would commit in between.
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'roles', 'disabled'])
    .where(({ eb, or }) => or([eb('id', '=', anyOf(ids)), sql<boolean>`roles <> '{}'`]))
    .forUpdate()
    .execute();
  const closed = new Set(
    (await tx.selectFrom('erasures').select('user_id').where('user_id', '=', anyOf(ids)).execute()).map((row) => row.user_id),
  );
  for (const { id, ...row } of rows) {
    const member = known.get(id);
    const roles = sortRoles(member?.roles ?? []);
    const isOpen = member !== undefined && member.status !== 'left' && !closed.has(id);
    const disabled = isOpen ? member.status === 'disabled' : row.disabled;
    if (roles.join() === row.roles.join() && disabled === row.disabled) continue;
    const rights = { roles: [...roles], is_admin: roles.includes('owner'), is_auditor: roles.includes('auditor') };
    await tx
      .updateTable('users')
      .set({ ...rights, disabled })
      .where('id', '=', id)
      .execute();
    if (disabled) await endAccess(tx, [id]);
  }
};

/**
 * Writes the effects of the staff's events to accounts and security log, in order and once: a locked row makes other calls wait. A command
 * that appends such an event calls this before it answers, so that a removed right ends with the next request in every process. A reaction
 * calls it too, in case the process ended before.
 */
export const applyRights = ({ db, store }: RightsParts): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { revision } = await tx.selectFrom('staff_rights').select('revision').forUpdate().executeTakeFirstOrThrow();
    const { events, head } = await store.read<StaffEvent>(STAFF);
    // After an older log was restored, the checkpoint is beyond its end.
    if (head.revision === revision) return;
    await writeMembers(tx, (events as readonly StaffEvent[]).reduce(staff.evolve, staff.initial));
    for (const event of events) if (event.revision > revision) await addToSecurityLog(tx, event);
    await tx.updateTable('staff_rights').set({ revision: head.revision }).execute();
  });
