import { randomUUID } from 'node:crypto';

import { mapShipping } from '#domain/order/checkout.ts';

import type { SealedRows, Texts } from '../../event-store/encryption/sealed-rows.ts';
import { HttpError } from '../../http/http-error.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';

export type Address = Texts<'addresses'>;
export type AddressView = Address & { readonly _id: string; readonly isDefault: boolean };
/** The first address of a user is the default whether or not it is said to be. */
export type AddressInput = { readonly fields: Address; readonly isDefault: boolean };

export type AddressParts = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'seal' | 'openAll'> };

export const MOST_ADDRESSES = 20;

const tooMany = (): HttpError =>
  new HttpError({
    status: 409,
    code: 'addresses_full',
    message: `You have ${MOST_ADDRESSES} addresses, which is the most. Please remove one first.`,
  });
/** Another user's address does not exist. */
export const addressNotFound = (): HttpError => new HttpError({ status: 404, code: 'address_not_found', message: 'Address not found' });

/** Changes of a user's addresses run one after the other, so that there is one default and no twenty-first. */
const inTurn = <Result>({ db }: AddressParts, user: string, work: (tx: ShopDatabase) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', user).forUpdate().executeTakeFirstOrThrow();
    return work(tx);
  });

const dropDefault = (tx: ShopDatabase, user: string) =>
  tx.updateTable('addresses').set({ is_default: false }).where('user_id', '=', user).where('is_default', '=', true).execute();

export const createAddresses = (parts: AddressParts) => {
  const { db, sealed } = parts;
  return {
    /** Returns the addresses of a user: the default first, then the newest. */
    list: async (user: string): Promise<readonly AddressView[]> => {
      const rows = await db
        .selectFrom('addresses')
        .select(['id', 'user_id as subject', 'personal', 'is_default'])
        .where('user_id', '=', user)
        .orderBy('is_default', 'desc')
        .orderBy('number', 'desc')
        .execute();
      return (await sealed.openAll('addresses', rows)).map(({ id, is_default, ...fields }) => ({
        _id: id,
        ...mapShipping((field) => fields[field]),
        isDefault: is_default,
      }));
    },
    /** Adds an address. Throws the 409 `addresses_full` for the 21st. */
    add: async (user: string, { fields, isDefault }: AddressInput): Promise<AddressView> => {
      const personal = await sealed.seal('addresses', user, fields);
      return inTurn(parts, user, async (tx) => {
        const { count } = await tx
          .selectFrom('addresses')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', user)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MOST_ADDRESSES) throw tooMany();
        const is_default = isDefault || Number(count) === 0;
        if (is_default) await dropDefault(tx, user);
        const id = randomUUID();
        await tx.insertInto('addresses').values({ id, user_id: user, personal, is_default }).execute();
        return { _id: id, ...fields, isDefault: is_default };
      });
    },
    /** Replaces an address. The default stays it until another is. Throws the 404 `address_not_found`. */
    replace: async (user: string, id: string, { fields, isDefault }: AddressInput): Promise<AddressView> => {
      const personal = await sealed.seal('addresses', user, fields);
      return inTurn(parts, user, async (tx) => {
        const own = tx.selectFrom('addresses').select('is_default').where('id', '=', id).where('user_id', '=', user);
        const known = await own.executeTakeFirst();
        if (!known) throw addressNotFound();
        if (isDefault && !known.is_default) await dropDefault(tx, user);
        const is_default = isDefault || known.is_default;
        await tx.updateTable('addresses').set({ personal, is_default }).where('id', '=', id).execute();
        return { _id: id, ...fields, isDefault: is_default };
      });
    },
    /** Removes an address; if it was the default, the newest of the others is. Throws the 404 `address_not_found`. */
    remove: (user: string, id: string): Promise<void> =>
      inTurn(parts, user, async (tx) => {
        const removed = await tx
          .deleteFrom('addresses')
          .where('id', '=', id)
          .where('user_id', '=', user)
          .returning('is_default')
          .executeTakeFirst();
        if (!removed) throw addressNotFound();
        if (!removed.is_default) return;
        const next = tx.selectFrom('addresses').select('id').where('user_id', '=', user).orderBy('number', 'desc').limit(1);
        await tx.updateTable('addresses').set({ is_default: true }).where('id', '=', next).execute();
      }),
  };
};

export type Addresses = Readonly<ReturnType<typeof createAddresses>>;
