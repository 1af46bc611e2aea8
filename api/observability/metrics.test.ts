import { Registry } from 'prom-client';
import { expect, test } from 'vitest';

import { requestDurations } from './metrics.ts';

test('requests are counted by route and class of status', async () => {
  const registry = new Registry();
  const note = requestDurations(registry);
  const counted = async (): Promise<string | undefined> =>
    /_count\{route="GET \/api\/product",status="2xx"\} (\d+)/.exec(await registry.metrics())?.[1];
  note('GET /api/product', 200, 0.01);
  expect(await counted()).toBe('1');
  for (let request = 0; request < 1_000; request++) note('GET /api/product', 204, 0.01);
  note('GET /api/product', 404, 0.01);
  expect(await counted()).toBe('1001');
});
