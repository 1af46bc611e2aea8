import type { Actor } from '#domain/event-store.ts';

/** `nameOf`: name or else e-mail address of a member of staff; undefined if the account is deleted. */
export type StaffNames = { readonly nameOf: (userId: string) => Promise<string | undefined> };

/** Who did it, for people. Shoppers are not named. */
export const actorName = async ({ kind, id }: Actor, { nameOf }: StaffNames): Promise<string> => {
  if (kind === 'admin') return (await nameOf(id)) ?? 'A former admin';
  return kind === 'system' ? 'The shop' : 'The shopper';
};
