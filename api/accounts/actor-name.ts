import type { Actor } from '#domain/event-store.ts';

/** `nameOf` returns the name or else the e-mail address of a member of staff; undefined if the account is deleted. */
export type StaffNames = { readonly nameOf: (userId: string) => Promise<string | undefined> };

/** Returns a name for the actor. Shoppers are not named. */
export const formatActorName = async ({ kind, id }: Actor, { nameOf }: StaffNames): Promise<string> => {
  if (kind === 'admin') return (await nameOf(id)) ?? 'A former admin';
  return kind === 'system' ? 'The shop' : 'The shopper';
};

/** Asks for each name once, however many rows of an answer have it. */
export const askOnce = ({ nameOf }: StaffNames): StaffNames => {
  const names = new Map<string, Promise<string | undefined>>();
  return {
    nameOf: (userId) => {
      const name = names.get(userId) ?? nameOf(userId);
      names.set(userId, name);
      return name;
    },
  };
};
