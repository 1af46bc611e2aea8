import type { Context } from 'koa';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';

import { measuredRequests } from './metrics.ts';

test('requests are counted by route and by status class', async () => {
  const registry = new Registry();
  const measured = measuredRequests(registry);
  const answer = (status: number) =>
    measured({ method: 'GET', _matchedRoute: '/api/product', status } as unknown as Context, () => Promise.resolve());
  const counted = async (): Promise<string | undefined> =>
    /_count\{route="GET \/api\/product",status="2xx"\} (\d+)/.exec(await registry.metrics())?.[1];
  await answer(200);
  expect(await counted()).toBe('1');
  for (let request = 0; request < 10; request++) await answer(204);
  await answer(404);
  expect(await counted()).toBe('11');
});
