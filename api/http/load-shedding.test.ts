import Koa from 'koa';
import { afterAll, expect, test } from 'vitest';

import { openLogger } from '../platform/logger.ts';
import { listening } from '../testing/listening.ts';
import { type State, requestId } from './context.ts';
import { errors } from './errors.ts';
import { shedLoad } from './load-shedding.ts';

const AT_ONCE = 5;

let underWay = 0;
let most = 0;
/** Keeps calls under way until `open` is called. */
let open: () => void = () => {};
let gate = new Promise<void>((resolve) => (open = resolve));

const app = new Koa<State>()
  .use(requestId)
  .use(errors(openLogger('silent')))
  .use(shedLoad(AT_ONCE));
app.use(async (ctx) => {
  most = Math.max(most, (underWay += 1));
  await gate;
  underWay -= 1;
  ctx.body = { message: 'done' };
});
const shop = await listening(app.callback());
afterAll(() => shop.close());

const statusesOf = async (answers: readonly Promise<Response>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('in a burst, calls beyond the limit get a 503 immediately', async () => {
  const burst = Array.from({ length: 10 * AT_ONCE }, () => fetch(shop.url));
  let answered = 0;
  for (const answer of burst) void answer.then(() => (answered += 1));
  const turnedAway = await Promise.race(burst);
  expect(turnedAway.status).toBe(503);
  expect(turnedAway.headers.get('Retry-After')).toMatch(/^[1-9]/);
  expect(await turnedAway.json()).toMatchObject({ code: 'unavailable' });
  await expect.poll(() => answered).toBe(9 * AT_ONCE);
  open();
  expect(await statusesOf(burst)).toEqual({ 200: AT_ONCE, 503: 9 * AT_ONCE });
  expect(most).toBe(AT_ONCE);
});

test('after a burst every call is served again', async () => {
  gate = Promise.resolve();
  for (let round = 0; round < 3; round += 1) {
    const answers = Array.from({ length: AT_ONCE }, () => fetch(shop.url));
    expect(await statusesOf(answers)).toEqual({ 200: AT_ONCE });
  }
});
