import { expect, test } from 'vitest';

import { logPosition, type Recorded } from '../event-store.ts';
import { instant } from '../shared/time.ts';
import { paise } from '../shared/money.ts';
import { added, dayAfter, openingDay, removed, repriced, revised } from '../testing/products.ts';
import type { ProductEvent } from './events.ts';
import { priceAt, priceHistory } from './offer.ts';

const meera = { kind: 'admin', id: 'meera' } as const;

const recorded = (...events: readonly ProductEvent[]) =>
  events.map((event, revision) => {
    const metadata = { commandId: 'c', correlationId: 'r', causationId: 'r', actor: meera, eventId: `${revision}`, version: 1, hash: '' };
    const stored = {
      stream: 'product-x',
      revision,
      position: logPosition(BigInt(revision + 1)),
      metadata: { ...metadata, recordedAt: openingDay },
    };
    return { ...event, ...stored } as Recorded<ProductEvent>;
  });

const closing = instant('2027-03-01T09:00:00.000Z');
const history = priceHistory(recorded(added(), revised({ tag: 'New' }), repriced(paise(3_450_00), paise(3_650_00)), removed(closing)));

test("a product's history has its first price, each later price, and none after its removal", () =>
  expect(history).toEqual([
    { price: 3_450_00, since: openingDay, by: meera },
    { price: 3_650_00, since: dayAfter, by: meera },
    { price: 0, since: closing, by: meera },
  ]));

test.each([
  ['before it was there', '2026-11-14T08:32:59.999Z', undefined],
  ['in its first moment', openingDay, 3_450_00],
  ['a moment before the change', '2026-11-15T09:59:59.999Z', 3_450_00],
  ['in the moment of the change', dayAfter, 3_650_00],
  ['long after', '2027-01-01T00:00:00.000Z', 3_650_00],
  ['after it was removed', '2027-03-01T09:00:00.000Z', 0],
])('the history gives the price %s', (_, moment, price) => expect(priceAt(history, instant(moment))?.price).toBe(price));
