import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProductView } from '#domain/product/view.ts';
import { cartOpened, itemAdded, itemRemoved, quantityChanged, selectCartTotals, selectItemCount, selectNextStep } from './cart-slice.ts';
import { openCart, quiet } from './testing/open-cart.ts';
import { gulab, khus, mitti, oud, type Fate } from './testing/fake-cart-server.ts';
import { instant } from '#domain/shared/time.ts';

type Cart = ReturnType<typeof openCart>;
type Step = { readonly name: string; readonly take: (cart: Cart) => void };

const step = (name: string, take: Step['take']): Step => ({ name, take });
const now = instant('2026-11-14T05:00:00.000Z');

const ofShop = fc.constantFrom(gulab, oud, mitti);
const quantity = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 90, max: 99 }) },
);
const addition = (perfumes: fc.Arbitrary<ProductView>) =>
  fc
    .tuple(perfumes, quantity)
    .map(([perfume, many]) => step(`add ${many} ${perfume._id}`, ({ store }) => void store.dispatch(itemAdded(perfume, many))));
const change = fc
  .tuple(ofShop, quantity)
  .map(([{ _id }, many]) => step(`make it ${many} ${_id}`, ({ store }) => void store.dispatch(quantityChanged(_id, many))));
const removal = ofShop.map(({ _id }) => step(`remove ${_id}`, ({ store }) => void store.dispatch(itemRemoved(_id))));
const request = fc.constant(step('open the cart', ({ store }) => void store.dispatch(cartOpened())));
const comeBack = fc.constant(step('come back', (cart) => cart.comeBack()));
const elsewhere = ofShop.map(({ _id: productId }) =>
  step(`remove ${productId} in another window`, ({ shop }) => void shop.actElsewhere({ type: 'RemoveItem', productId, now })),
);
const answer = fc
  .tuple(fc.constantFrom<Fate>('answered', 'answered', 'lost', 'down', 'unreachable'), fc.nat())
  .map(([fate, any]) => step(fate, ({ shop }) => shop.end(fate, any % Math.max(1, shop.waiting()))));

const whole = fc.oneof(addition(fc.oneof(ofShop, fc.constant(khus))), change, removal, request, comeBack, elsewhere, answer, answer);

const expectOneCart = ({ store, cart, shop }: Cart): void => {
  const { items, total } = cart();
  expect(selectItemCount(store.getState())).toBe(items.reduce((sum, item) => sum + item.quantity, 0));
  expect(selectCartTotals(store.getState()).subtotal / 100).toBe(total);
  expect(shop.waiting()).toBeLessThanOrEqual(1);
};

test("with random changes and random outcomes of calls, the cart on the screen converges with the server's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(whole, { maxLength: 40 }), async (steps) => {
      const open = openCart();
      for (const { take } of steps) {
        take(open);
        await quiet();
        expectOneCart(open);
      }
      open.comeBack();
      await open.answerAll();
      const { items, totalCartValue } = open.shop.view();
      expect(open.cart()).toMatchObject({ items, total: totalCartValue, loading: false });
      expect(selectNextStep(open.store.getState())).toBe('nothing');
    }),
    { numRuns: 150 },
  );
});

test('with random changes and every call answered, the optimistic cart equals the confirmed one', async () => {
  const doings = fc.array(fc.oneof(addition(ofShop), change, removal), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(doings, fc.array(fc.nat(3)), async (steps, pauses) => {
      const open = openCart();
      await open.load();
      for (const [index, { take }] of steps.entries()) {
        take(open);
        if (pauses[index] === 0) await open.end();
      }
      const { items, total } = open.cart();
      await open.answerAll();
      expect(open.cart()).toMatchObject({ items, total });
      // Only the server knows the tax rate of a perfume that was just added.
      expect(open.shop.view().items).toMatchObject(items);
    }),
    { numRuns: 150 },
  );
});
