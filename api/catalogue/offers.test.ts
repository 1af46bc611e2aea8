import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';

import { product } from '#domain/product/product.ts';
import { productId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { add, revise } from '#domain/testing/products.ts';

import { aggregatesOn } from '../command-handler/aggregates.ts';
import { memoryEventStore } from '../event-store/memory/memory-event-store.ts';
import { executeOn } from '../command-handler/execute.ts';
import { offersInLog, productStream } from './offers.ts';

const oud = productId('oud-saffron-majlis');
const byAdmin = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } }) as const;

test('a request reads each product once, and the next request sees changes of other processes', async () => {
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

  const offersFor = offersInLog({ load });
  const [one, same] = await Promise.all([offersFor([{ productId: oud }]), offersFor([{ productId: oud }, { productId: oud }])]);
  expect(reads).toBe(1);
  expect(same.get(oud)).toEqual(one.get(oud));

  await admin(product, productStream(oud), revise({ price: paise(1_234_00) }), byAdmin());
  expect((await offersFor([{ productId: oud }])).get(oud)).toEqual(one.get(oud));
  expect((await offersInLog({ load })([{ productId: oud }])).get(oud)).toMatchObject({ price: 1_234_00 });
});
