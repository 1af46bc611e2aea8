import { expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { PASSWORD } from '../accounts/testing/people.ts';
import { change } from '../cart/testing/shopping.ts';
import { startEventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { ordering, sameBrowser, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { openShopForTest, openTestShop, type TestShop } from '../testing/test-shop.ts';
import { join, mailsTo, personCalled } from './testing/person.ts';

const who = personCalled('Zubaida');

const bought = async (shop: TestShop, at: OrderingBrowser): Promise<{ id: string; link: string }> => {
  await change([shop], oudSaffronMajlis, add());
  await join(shop, at, who);
  const { _id: id } = await at.buy({ shipping: who.shipping }, 'Prepaid');
  return { id, link: await at.payLink(id) };
};
const mailbox = (shop: TestShop, wanted: number) => expect.poll(() => mailsTo(shop, who.shipping.email)).toBe(wanted);

test('the mail about a refund is deleted even if its address differs from that of the account', async () => {
  const shop = await openShopForTest({ projecting: true, reacting: true });
  const at = ordering(shop);
  const { id, link } = await bought(shop, at);
  await shop.payments.testGateway?.pay(link);
  await at.cancel(id);
  // The four mails say that the order was placed, paid, cancelled and refunded.
  await mailbox(shop, 4);
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  await mailbox(shop, 0);
});

test('a payment whose stream was cut in the event store does not prevent an erasure', async () => {
  const server = await startEventStoreDbDouble();
  const before = await openTestShop({ eventStoreUrl: server.connectionString, projecting: true, reacting: true });
  const at = ordering(before);
  const { id } = await bought(before, at);
  await before.progress.waitFor('my-orders', await before.store.head(['order', 'payment']), 30_000);
  await before.close();
  server.truncate(`${new URL(before.databaseUrl).pathname.slice(1).replaceAll('_', '-')}-payment-${id}`, 100);
  const after = await openTestShop({
    eventStoreUrl: server.connectionString,
    databaseUrl: before.databaseUrl,
    projecting: true,
    reacting: true,
  });
  expect((await sameBrowser(at, after).post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  await after.close();
  server.close();
});
