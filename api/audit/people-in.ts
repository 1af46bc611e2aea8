import { isUuid } from '#domain/shared/ids.ts';
import { anyOf } from '#projections/storage/prepare.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { EventView } from './audit-json.ts';

export type PeopleNamed = Readonly<Record<string, { readonly name: string; readonly email: string }>>;

/** Returns the people in these events whose accounts are not erased. */
export const findPeople = async (db: ShopDatabase, events: readonly EventView[]): Promise<PeopleNamed> => {
  const actors = events.flatMap(({ metadata }) => (metadata ? [metadata.actor] : []));
  const ids = [...new Set(actors.filter(({ kind, id }) => (kind === 'user' || kind === 'admin') && isUuid(id)).map(({ id }) => id))];
  if (ids.length === 0) return {};
  const rows = await db.selectFrom('users').select(['id', 'name', 'email']).where('id', '=', anyOf(ids)).execute();
  return Object.fromEntries(rows.map(({ id, name, email }) => [id, { name, email }]));
};
