import type { ProductId } from '#domain/shared/ids.ts';

import { everyPage, type OlderThan } from '../http/cursor-page.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** `createdAt` is in ISO 8601, UTC. */
export type NoticeView = { readonly _id: string; readonly productId: ProductId; readonly email: EmailAddress; readonly createdAt: string };

const newestNotices = (db: ShopDatabase, { limit, before }: OlderThan) =>
  db
    .selectFrom('restock_notices')
    .select(['id', 'product_id', 'email', 'created_at'])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit);

type Row = { readonly id: string; readonly product_id: ProductId; readonly email: EmailAddress; readonly created_at: Date };
const viewNotice = ({ id, product_id, email, created_at }: Row): NoticeView => ({
  _id: id,
  productId: product_id,
  email,
  createdAt: created_at.toISOString(),
});

export const allNotices = (db: ShopDatabase): AsyncGenerator<readonly NoticeView[]> =>
  everyPage(async (part) => (await newestNotices(db, part).execute()).map(viewNotice));

export const listNotices = async (db: ShopDatabase, email: EmailAddress, part: OlderThan): Promise<NoticeView[]> =>
  (await newestNotices(db, part).where('email', '=', email).execute()).map(viewNotice);

export const endNotices = async (db: ShopDatabase, email: EmailAddress): Promise<void> => {
  await db.deleteFrom('restock_notices').where('email', '=', email).execute();
};
