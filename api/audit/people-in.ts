import { isUuid } from '#domain/shared/ids.ts';
import { anyOf } from '#projections/storage/prepare.ts';
import type { Shop } from '../shop.ts';
import type { EventView } from './audit-json.ts';

export type PeopleNamed = Readonly<Record<string, { readonly name: string; readonly email: string }>>;

/** Returns the people in these events whose accounts are not erased. */
export const findPeople = async ({ db, sealed }: Pick<Shop, 'db' | 'sealed'>, events: readonly EventView[]): Promise<PeopleNamed> => {
  const actors = events.flatMap(({ metadata }) => (metadata ? [metadata.actor] : []));
  const ids = [...new Set(actors.filter(({ kind, id }) => (kind === 'user' || kind === 'admin') && isUuid(id)).map(({ id }) => id))];
  if (ids.length === 0) return {};
  const rows = await db.selectFrom('users').select(['id as subject', 'personal']).where('id', '=', anyOf(ids)).execute();
  return Object.fromEntries((await sealed.openAll('users', rows)).map(({ subject, name, email }) => [subject, { name, email }]));
};
