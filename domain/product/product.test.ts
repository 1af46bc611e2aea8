import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { paise } from '../shared/money.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import * as the from '../testing/products.ts';
import type { ProductDetails, ProductEvent } from './events.ts';
import { createOffer } from './offer.ts';
import { product, type ProductCommand } from './product.ts';
import { productLimits } from './rules.ts';
import { toView } from './view.ts';

const { add, added, details, remove, removed, repriced, restocked, revise, revised, soldOut } = the;

const long = (length: number) => 'x'.repeat(length);

describe('adding a product', () => {
  test('a new product is added', () => expectDecision(product, [], add(), [added()]));
  test('only a name is required', () => {
    const bare = details({
      details: '',
      category: '',
      productImageUrl: [],
      productDescription: '',
      description: '',
      productDetails: [],
      tag: '',
    });
    const command = add({ details: bare, price: paise(0), inStock: false });
    expectDecision(product, [], command, [added({ ...bare, price: paise(0), inStock: false })]);
  });
  test('an id that is in use is refused', () => expectDecision(product, [added()], add(), { code: 'product_already_exists' }));
  test('the id of a removed product is refused', () =>
    expectDecision(product, [added(), removed()], add(), { code: 'product_already_exists' }));
});

describe("a product's details", () => {
  const half = 'A number from 0 to 5 in half steps';
  const whole = 'A whole number, 0 or more';
  const address = 'Each picture is an address that starts with https:// or /';

  test.each<[keyof ProductDetails, Partial<ProductDetails>, string]>([
    ['name', { name: ' ' }, 'Required'],
    ['name', { name: long(productLimits.name + 1) }, 'At most 120 characters'],
    ['details', { details: long(productLimits.details + 1) }, 'At most 200 characters'],
    ['description', { description: long(productLimits.description + 1) }, 'At most 5000 characters'],
    ['ratingStar', { ratingStar: 5.5 }, half],
    ['ratingStar', { ratingStar: -1 }, half],
    ['ratingStar', { ratingStar: 4.3 }, half],
    ['ratingStar', { ratingStar: Number.NaN }, half],
    ['reviewsCount', { reviewsCount: -3 }, whole],
    ['reviewsCount', { reviewsCount: 1.5 }, whole],
    ['productImageUrl', { productImageUrl: ['javascript:alert(1)'] }, address],
    ['productImageUrl', { productImageUrl: ['data:image/svg+xml,<svg/>'] }, address],
    ['productImageUrl', { productImageUrl: ['http://elsewhere.example/x.png'] }, address],
    ['productImageUrl', { productImageUrl: ['//elsewhere.example/x.png'] }, address],
    ['productImageUrl', { productImageUrl: ['/\\elsewhere.example/x.png'] }, address],
    ['productImageUrl', { productImageUrl: Array.from({ length: 13 }, () => '/x.webp') }, 'At most 12 pictures'],
    ['productDetails', { productDetails: Array.from({ length: 21 }, () => 'x') }, 'At most 20 lines'],
    ['productDetails', { productDetails: [long(201)] }, 'At most 200 characters a line'],
  ])('are refused for the field %s in %j, with a message', (field, changes, message) => {
    expectDecision(product, [], add({ details: details(changes) }), { code: 'product_invalid', errors: { [field]: message } });
    expectDecision(product, [added()], revise({ changes }), { code: 'product_invalid', errors: { [field]: message } });
  });

  test.each<Partial<ProductDetails>>([
    { name: long(productLimits.name), details: long(productLimits.details), description: long(productLimits.description) },
    { ratingStar: 0, reviewsCount: 0, productImageUrl: Array.from({ length: 12 }, () => '/x.webp') },
    { ratingStar: 5, reviewsCount: productLimits.reviewsCount, productImageUrl: ['/'.padEnd(productLimits.pictureAddress, 'x')] },
    { productDetails: Array.from({ length: 20 }, () => long(200)), hsn: '3303' as never },
  ])('%# are accepted at their limits', (changes) => expectDecision(product, [], add({ details: details(changes) }), [added(changes)]));
  test.each<[keyof ProductDetails, object, string]>([
    ['category', { category: 'tea' }, 'One of oud, floral, fresh, musk, attar'],
    ['hsn', { hsn: '33' }, '4, 6 or 8 digits'],
    ['reviewsCount', { reviewsCount: productLimits.reviewsCount + 1 }, whole],
    ['productImageUrl', { productImageUrl: ['/'.padEnd(productLimits.pictureAddress + 1, 'x')] }, address],
  ])('%s is refused beyond them: %j', (field, changes, message) =>
    expectDecision(product, [], add({ details: details(changes) }), { code: 'product_invalid', errors: { [field]: message } }),
  );

  test('are refused with all errors together', () =>
    expectDecision(product, [], add({ details: details({ name: '', ratingStar: 9 }) }), {
      code: 'product_invalid',
      errors: { name: 'Required', ratingStar: half },
    }));

  test.each(['/pictures/products/x.webp', 'https://cdn.example/x.webp', 'HTTPS://cdn.example/x.webp?w=1'])(
    '%s is a valid picture address',
    (picture) =>
      expectDecision(product, [added()], revise({ changes: { productImageUrl: [picture] } }), [revised({ productImageUrl: [picture] })]),
  );
});

describe('revising a product', () => {
  testDecisions(product, [
    ['records only changed fields', [added()], revise({ changes: { ...details(), tag: 'New' } }), [revised({ tag: 'New' })]],
    ['restocks a sold-out product', [added(), soldOut()], revise({ inStock: true }), [restocked()]],
    ['with an empty price makes it not purchasable', [added()], revise({ price: paise(0) }), [repriced(paise(3_450_00), paise(0))]],
    ['with the same values changes nothing', [added()], revise({ changes: details(), price: paise(3_450_00), inStock: true }), []],
    ['is refused if it was never added', [], revise(), { code: 'product_not_found' }],
    ['is refused if it was removed', [added(), removed()], revise(), { code: 'product_not_found' }],
  ]);
  test('records details, price and stock as separate events', () =>
    expectDecision(product, [added()], revise({ changes: { name: 'Oud Saffron' }, price: paise(3_650_00), inStock: false }), [
      revised({ name: 'Oud Saffron' }),
      repriced(paise(3_450_00), paise(3_650_00)),
      soldOut(),
    ]));
  const stale = { code: 'product_changed', current: the.offeredAfter(added(), soldOut()) } as const;
  const retag = (expectedRevision: number) => revise({ changes: { tag: 'New' }, expectedRevision });
  testDecisions(product, [
    ['is accepted for the current revision', [added(), soldOut()], retag(1), [revised({ tag: 'New' })]],
    ['is refused for an older revision, with the current product', [added(), soldOut()], retag(0), stale],
  ]);
});

describe('removing a product', () => {
  test('ends its offer', () => expectDecision(product, [added()], remove(), [removed()]));
  test('is refused the second time', () => expectDecision(product, [added(), removed()], remove(), { code: 'product_not_found' }));
});

const commands: fc.Arbitrary<ProductCommand> = fc.oneof(
  fc.constant(add()),
  fc.constant(remove()),
  fc
    .record(
      {
        changes: fc.record({ name: fc.constantFrom('Ruh Gulab', ''), tag: fc.constantFrom('', 'New') }, { requiredKeys: [] }),
        price: fc.nat({ max: 3 }).map(paise),
        inStock: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map(revise),
);

test("a product's revision counts its events, and repeating a command changes nothing", () =>
  fc.assert(
    fc.property(fc.array(commands), (asked) => {
      const history: ProductEvent[] = [];
      let state = product.initial;
      for (const command of asked) {
        const decision = product.decide(state, command);
        if (!decision.ok) continue;
        history.push(...decision.events);
        state = decision.events.reduce(product.evolve, state);
        if (state.status !== 'offered') continue;
        expect(state.revision).toBe(history.length - 1);
        if (command.type === 'ReviseProduct') expectDecision(product, history, command, []);
      }
    }),
  ));

describe('an event of a later release', () => {
  test("changes only a product's revision", () =>
    expect(the.offeredAfter(added(), laterEvent('ProductEngraved'), soldOut())).toEqual({
      ...the.offeredAfter(added(), soldOut()),
      revision: 2,
    }));
  test('neither restores a removed product nor creates one', () => {
    expectDecision(product, [added(), removed(), laterEvent('ProductEngraved')], revise(), { code: 'product_not_found' });
    expectDecision(product, [laterEvent('ProductEngraved')], add(), [added()]);
  });
  test("makes an editor's revision stale", () => {
    const price = paise(3_000_00);
    const history = [added(), laterEvent('ProductEngraved')] as const;
    expectDecision(product, history, revise({ price, expectedRevision: 0 }), {
      code: 'product_changed',
      current: the.offeredAfter(...history),
    });
    expectDecision(product, history, revise({ price, expectedRevision: 1 }), [repriced(paise(3_450_00), price)]);
  });
});

describe("a product's view", () => {
  test('has the price as text, which is empty without a price', () => {
    expect(toView(the.ruhGulab, the.offeredAfter(the.ruhGulabAdded())).price).toBe('₹2,450.00');
    expect(toView(the.ruhGulab, the.offeredAfter(the.ruhGulabAdded({ price: paise(0) }))).price).toBe('');
  });
  test('has only the documented fields', () =>
    expect(toView(the.oudSaffronMajlis, the.offeredAfter(added(), soldOut()))).toEqual({
      _id: 'oud-saffron-majlis',
      ...details(),
      price: '₹3,450.00',
      inStock: false,
      revision: 1,
    }));
});

test('a perfume that is back is offered again, and a removed one is not', () => {
  const after = (...events: readonly ProductEvent[]) => events.reduce(product.evolve, product.initial);
  expect(createOffer(the.oudSaffronMajlis, after(added(), soldOut(), restocked()), 3)).toMatchObject({
    product: { _id: the.oudSaffronMajlis, inStock: true, left: 3 },
    removed: false,
    available: 3,
  });
  expect(createOffer(the.oudSaffronMajlis, after(added(), removed()))).toBeUndefined();
  expect(after(added(), removed())).toMatchObject({ status: 'removed' });
});

test('pictures and lines of text are compared one by one', () => {
  const lines = (...productDetails: string[]) => ({ productDetails });
  const before = added(lines('one', 'two'));
  expectDecision(product, [before], revise({ changes: lines('one', 'two') }), []);
  for (const other of [lines('one'), lines('one', 'three'), lines('two', 'one')])
    expectDecision(product, [before], revise({ changes: other }), [revised(other)]);
});
