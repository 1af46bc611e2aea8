import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import { product, productStream } from '#domain/product/product.ts';
import { productId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { add, revise } from '#domain/testing/products.ts';

import { createAggregates } from '../command-handler/aggregates.ts';
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { createExecute } from '../command-handler/execute.ts';
import { loadOffers } from './offers.ts';

const oud = productId('oud-saffron-majlis');
const byAdmin = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } }) as const;

test('each call reads each product and its stock once, and sees the changes of other processes', async () => {
  const store = memoryEventStore();
  const admin = createExecute(store);
  await admin(product, productStream(oud), add(), byAdmin());
  let reads = 0;
  const { load } = createAggregates({
    streams: {
      read: (...asked) => {
        reads += 1;
        return store.read(...asked);
      },
    },
  });

  const offers = await loadOffers({ load }, anOrder, [{ productId: oud }, { productId: oud }]);
  expect(offers.get(oud)).toMatchObject({ price: expect.any(Number) });
  expect(reads).toBe(2);

  await admin(product, productStream(oud), revise({ price: paise(1_234_00) }), byAdmin());
  expect((await loadOffers({ load }, anOrder, [{ productId: oud }])).get(oud)).toMatchObject({ price: 1_234_00 });
});
