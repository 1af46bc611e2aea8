import { expect, test } from 'vitest';

import { nameTable } from '../engine/table-set.ts';
import type { ReviewEvent } from '#domain/review/events.ts';
import type { ReviewId } from '#domain/review/review.ts';
import { productId, shopperId } from '#domain/shared/ids.ts';
import { personalText } from '#domain/shared/text.ts';
import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';
import { logPosition } from '#domain/event-store.ts';
import { toView } from '#domain/product/view.ts';
import { laterEvent } from '#domain/testing/later-release.ts';
import { anotherOrder } from '#domain/testing/carts.ts';
import * as the from '#domain/testing/products.ts';
import { counted, reserved, shipped } from '#domain/testing/stocks.ts';

import { rebuild } from '../engine/rebuild.ts';
import { verify } from '../storage/verify.ts';
import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { catalogue } from './projector.ts';

const revision = the.revised({ name: 'Oud Saffron', category: 'attar', isTrending: true, bestsellers: false });
const repricing = the.repriced(paise(3_450_00), paise(0));

// An event of a later release raises the revision, as it does in the domain.
const reduction = the.repriced(paise(3_650_00), paise(3_200_00), instant('2026-12-20T09:00:00.000Z'));

const engraved = laterEvent('ProductEngraved');

const REVIEW = '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4';
const by = { product: the.ruhGulab, author: shopperId('meera') };
const written: ReviewEvent = {
  type: 'ReviewWritten',
  data: { ...by, name: personalText('Meera'), rating: 4, text: personalText('Warm'), writtenAt: the.openingDay },
};

const hidden: ReviewEvent = { type: 'ReviewHidden', data: { ...by, reason: personalText('Advertises'), hiddenAt: the.dayAfter } };

const happenings: Happenings = [
  ['product-drafted', laterEvent('ProductDrafted')],
  ['product-oud-saffron-majlis', the.added(), the.soldOut()],
  ['product-ruh-gulab', laterEvent('ProductDrafted'), the.ruhGulabAdded(), the.removed()],
  ['stock-oud-saffron-majlis', counted(3), reserved(3), reserved(1, anotherOrder, 0), shipped(3), laterEvent('StockBlessed')],
  ['product-oud-saffron-majlis', revision, the.restocked(), repricing, engraved],
  [`review-${REVIEW}`, written, hidden],
  ['product-mogra', the.added(), the.repriced(paise(3_450_00), paise(3_650_00)), reduction, the.soldOut()],
];

const oudSaffron = toView(
  the.oudSaffronMajlis,
  the.offeredAfter(the.added(), the.soldOut(), revision, the.restocked(), repricing, engraved),
);
const ruhGulab = toView(the.ruhGulab, the.offeredAfter(the.ruhGulabAdded()));

const mogra = productId('mogra');

const common = {
  in_stock: true,
  rating: 5,
  bestseller: false,
  featured: true,
  trending: false,
  pictured: true,
  added_at: the.openingDay,
  removed: false,
};
const notReduced = { reduced_at: null, lowest_before: null };

describeProjector(catalogue, happenings, {
  catalogue: [
    {
      product_id: mogra,
      name: 'Oud Saffron Majlis',
      category: 'oud',
      price: 3_200_00,
      ...common,
      in_stock: false,
      bestseller: true,
      position: logPosition(21n),
      reduced_at: '2026-12-20T09:00:00.000Z',
      // The previous price ended more than 30 days ago.
      lowest_before: 3_650_00,
      earlier_prices: JSON.stringify([{ price: 3_650_00, until: '2026-12-20T09:00:00.000Z' }]),
      view: JSON.stringify(
        toView(mogra, the.offeredAfter(the.added(), the.repriced(paise(3_450_00), paise(3_650_00)), reduction, the.soldOut())),
      ),
    },
    {
      product_id: productId('oud-saffron-majlis'),
      name: 'Oud Saffron',
      category: 'attar',
      price: 0,
      ...common,
      trending: true,
      position: logPosition(15n),
      ...notReduced,
      earlier_prices: JSON.stringify([{ price: 3_450_00, until: the.dayAfter }]),
      view: JSON.stringify(oudSaffron),
    },
    {
      product_id: productId('ruh-gulab'),
      name: 'Ruh Gulab',
      category: 'attar',
      price: 2_450_00,
      ...common,
      rating: 4.5,
      featured: false,
      removed: true,
      position: logPosition(6n),
      ...notReduced,
      earlier_prices: '[]',
      // The removal raises the revision.
      view: JSON.stringify({ ...ruhGulab, revision: 1 }),
    },
  ],
  stock: [
    {
      product_id: productId('oud-saffron-majlis'),
      is_counted: true,
      on_hand: 0,
      reserved: 1,
      low_at: null,
      counted_at: expect.any(String),
      counted_by: expect.stringContaining('kind'),
      position: logPosition(10n),
    },
  ],
  reviews: [
    {
      review_id: REVIEW as ReviewId,
      product_id: the.ruhGulab,
      author: shopperId('meera'),
      name: personalText('Meera'),
      rating: 4,
      text: personalText('Warm'),
      written_at: the.openingDay,
      is_withdrawn: false,
      hidden_at: the.dayAfter,
      hidden_by: 'test',
      reason: personalText('Advertises'),
      written: logPosition(16n),
      position: logPosition(17n),
    },
  ],
});

test('verify reports a number of bottles that was changed by hand', async () => {
  const database = await openTestDatabase();
  try {
    const log = new MemoryLog();
    log.append('product-oud-saffron-majlis', the.added());
    log.append('stock-oud-saffron-majlis', counted(3), reserved(1));
    const { signal } = new AbortController();
    await rebuild(catalogue, log, database, { signal });
    await database.pool.query(`update ${nameTable(catalogue, 'stock')} set on_hand = 30`);
    expect((await verify(catalogue, log, database, { signal })).differences).toEqual([
      { table: 'stock', key: 'oud-saffron-majlis', what: ['on_hand'] },
    ]);
  } finally {
    await database.close();
  }
});
