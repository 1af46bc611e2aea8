import type { Selectable } from 'kysely';

import type { UserTable } from '../platform/postgres/shop-tables.ts';

export type User = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly isAdmin: boolean;
  readonly isAuditor: boolean;
};

export const USER_COLUMNS = ['id', 'name', 'email', 'phone', 'is_admin', 'is_auditor'] as const;
export type UserRow = Pick<Selectable<UserTable>, (typeof USER_COLUMNS)[number]>;

export const userFrom = ({ id, name, email, phone, is_admin: isAdmin, is_auditor: isAuditor }: UserRow): User => ({
  id,
  name,
  email,
  phone,
  isAdmin,
  isAuditor,
});

/** An admin has the auditor's permissions too: `isAuditor` is true for both. */
export const userView = ({ id, name, email, phone, isAdmin, isAuditor }: User) => ({
  _id: id,
  name,
  email,
  phone,
  isAdmin,
  isAuditor: isAdmin || isAuditor,
});
