import type { ProductId } from '#domain/shared/ids.ts';

import type { HeldEmail } from '../accounts/email-change/email-change.ts';
import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import type { OlderThan } from '../http/cursor-page.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** `createdAt` is in ISO 8601, UTC. */
export type NoticeView = { readonly _id: string; readonly productId: ProductId; readonly email: EmailAddress; readonly createdAt: string };

export type NoticeParts = { readonly db: ShopDatabase; readonly sealed: Pick<SealedRows, 'hashOf'> };

/** Returns the requests that an account made with an address, newest first. */
export const listNotices = async (
  { db, sealed }: NoticeParts,
  { email, leftAt }: HeldEmail,
  { limit, before }: OlderThan,
): Promise<NoticeView[]> => {
  const rows = await db
    .selectFrom('restock_notices')
    .select(['id', 'product_id', 'created_at'])
    .where('address_hash', '=', await sealed.hashOf(email))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .$if(leftAt !== null, (query) => query.where('created_at', '<', leftAt ?? new Date()))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, product_id, created_at }) => ({
    _id: id,
    productId: product_id,
    email,
    createdAt: created_at.toISOString(),
  }));
};

export const endNotices = async ({ db, sealed }: NoticeParts, email: EmailAddress): Promise<void> => {
  await db
    .deleteFrom('restock_notices')
    .where('address_hash', '=', await sealed.hashOf(email))
    .execute();
};
