import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer } from '../../testing/shop.tsx';
import { invalidate } from './live-updates.ts';
import { adminApi } from './admin-api.ts';
import { createAdminStore } from './admin-store.ts';

const slowServer = () => {
  const answers: (() => void)[] = [];
  const calls = answerCalls(() => {
    const { promise, answer } = createLateAnswer();
    answers.push(() => answer({ data: { orders: [], nextCursor: null, asked: answers.length } }));
    return promise;
  });
  const asked = (times: number) => expect.poll(() => calls.length, { timeout: 10_000 }).toBe(times);
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
