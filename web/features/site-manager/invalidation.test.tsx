import { expect, test } from 'vitest';
import type { OrderId } from '#domain/shared/ids.ts';
import { answerCalls, createLateAnswer } from '../../testing/shop.tsx';
import { invalidate } from './live-updates.ts';
import { adminApi, type Tag } from './admin-api.ts';
import { createAdminStore } from './admin-store.ts';
import { customersApi } from './customers/customers-api.ts';
import { returnsApi } from './returns/returns-api.ts';

const slowServer = () => {
  const answers: (() => void)[] = [];
  const calls = answerCalls(() => {
    const { promise, answer } = createLateAnswer();
    answers.push(() => answer({ data: { orders: [], nextCursor: null, asked: answers.length } }));
    return promise;
  });
  const asked = (times: number) => expect.poll(() => calls.length).toBe(times);
  return { asked, answer: (which: number) => answers[which]?.() };
};

const open = async () => {
  const server = slowServer();
  const store = createAdminStore();
  void store.dispatch(adminApi.endpoints.orders.initiate({}));
  await server.asked(1);
  return { server, tell: invalidate(store) };
};

test('announced changes of orders cause a second request when the first is running, because its answer may be outdated', async () => {
  const { server, tell } = await open();
  tell('Orders');
  await server.asked(1);
  server.answer(0);
  await server.asked(2);
});

test('announced changes of orders cause one request at a time when they follow quickly, and the last is not lost', async () => {
  const { server, tell } = await open();
  server.answer(0);
  for (let time = 0; time < 50; time++) tell('Orders', 'Subscribers');
  await server.asked(2);
  for (let time = 0; time < 50; time++) tell('Orders');
  server.answer(1);
  await server.asked(3);
  server.answer(2);
  tell('Orders');
  await server.asked(4);
});

type Ask = (store: ReturnType<typeof createAdminStore>) => unknown;
const askForReturns: Ask = ({ dispatch }) => dispatch(returnsApi.endpoints.returns.initiate('waiting'));
const askForExplanation: Ask = ({ dispatch }) => dispatch(adminApi.endpoints.explanation.initiate('order-1' as OrderId));
const askForCustomer: Ask = ({ dispatch }) => dispatch(customersApi.endpoints.customer.initiate('customer-1'));

test.each<[string, Tag, Ask]>([
  ['the returns', 'Orders', askForReturns],
  ['the returns', 'Payments', askForReturns],
  ['the explanation of an order', 'Orders', askForExplanation],
  ['the explanation of an order', 'Payments', askForExplanation],
  ['a customer', 'Payments', askForCustomer],
  ['a customer', 'Messages', askForCustomer],
])('a request for %s that is running when %s change is followed by a second one', async (_what, tag, ask) => {
  const server = slowServer();
  const store = createAdminStore();
  void ask(store);
  await server.asked(1);
  invalidate(store)(tag);
  await server.asked(1);
  server.answer(0);
  await server.asked(2);
});

test('a request for something else is not waited for', async () => {
  const server = slowServer();
  const store = createAdminStore();
  void store.dispatch(adminApi.endpoints.orders.initiate({}));
  await server.asked(1);
  server.answer(0);
  await expect.poll(() => adminApi.endpoints.orders.select({})(store.getState()).isSuccess).toBe(true);
  void store.dispatch(adminApi.endpoints.health.initiate());
  await server.asked(2);
  invalidate(store)('Orders');
  await server.asked(3);
});
