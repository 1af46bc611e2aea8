import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import { product } from '#domain/product/product.ts';
import { productId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { add, revise } from '#domain/testing/products.ts';
import { productStream } from '#domain/product/product-stream.ts';

import { aggregatesOn } from '../command-handler/aggregates.ts';
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { executeOn } from '../command-handler/execute.ts';
import { offersInLog } from './offers.ts';

const oud = productId('oud-saffron-majlis');
const byAdmin = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } }) as const;

test('each product and its stock are read once in a call, and each call sees what other processes have changed', async () => {
  const store = memoryEventStore();
  const admin = executeOn(store);
  await admin(product, productStream(oud), add(), byAdmin());
  let reads = 0;
  const { load } = aggregatesOn({
    streams: {
      read: (...asked) => {
        reads += 1;
        return store.read(...asked);
      },
    },
  });

  const offers = await offersInLog({ load }, anOrder, [{ productId: oud }, { productId: oud }]);
  expect(offers.get(oud)).toMatchObject({ price: expect.any(Number) });
  expect(reads).toBe(2);

  await admin(product, productStream(oud), revise({ price: paise(1_234_00) }), byAdmin());
  expect((await offersInLog({ load }, anOrder, [{ productId: oud }])).get(oud)).toMatchObject({ price: 1_234_00 });
});
