import { paise } from '#domain/shared/money.ts';
import { add, details, oudSaffronMajlis } from '#domain/testing/products.ts';

import { openShopForFile, type TestShop } from '../../testing/test-shop.ts';
import { change } from './shopping.ts';

export type TwoShops = {
  /** This instance also runs the read models. */
  readonly shop: TestShop;
  /** This instance uses the same database. */
  readonly other: TestShop;
  /** Adds a product with these data, and waits until both instances show it. */
  stock(id: string, facts?: Parameters<typeof add>[0]): Promise<void>;
};

/** Opens two processes of a shop that sells Oud Saffron Majlis (₹3,450.00) and Ruh Gulab (₹2,450.50), until the file's last test. */
export const openTwoShops = async (): Promise<TwoShops> => {
  const shop = await openShopForFile({ projecting: true });
  await change([shop], oudSaffronMajlis, add());
  const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
  const stock: TwoShops['stock'] = (id, facts = {}) => change([shop, other], id, add(facts));
  await stock('ruh-gulab', { details: details({ name: 'Ruh Gulab' }), price: paise(2_450_50) });
  return { shop, other, stock };
};
