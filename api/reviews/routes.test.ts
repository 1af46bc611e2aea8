import { beforeAll, describe, expect, test } from 'vitest';

import { add, oudSaffronMajlis, ruhGulab } from '#domain/testing/products.ts';

import { getFresh, type Browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { admin, ordering, signedInAs, signedUp, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { catchUp, openShopForFile } from '../testing/test-shop.ts';

type Review = { _id: string; rating: number; text: string; name: string };

const shop = await openShopForFile({ people: { admin }, projecting: true });
await change([shop], oudSaffronMajlis, add());
await change([shop], ruhGulab, add());
const staff = await signedInAs(shop, admin);

const REVIEWS = `/api/product/${oudSaffronMajlis}/reviews`;
let people = 0;

const deliver = async (id: string): Promise<void> => {
  for (const status of ['confirmed', 'shipped', 'delivered']) expect((await staff.move(id, status)).status).toBe(200);
};
/** Signs somebody up to whom a bottle of Oud Saffron Majlis was delivered. */
const createBuyer = async (): Promise<OrderingBrowser> => {
  const at = await signedUp(shop, `buyer-${++people}@example.com`);
  await deliver((await at.buy())._id);
  return at;
};
const write = async (at: Browser, rating: unknown, text: unknown = 'Warm', path = REVIEWS) => {
  const answer = await at.post(path, { rating, text });
  return { ...answer, review: answer.body as Review };
};
const put = (at: Browser, path: string, body: unknown) => at.send('PUT', path, { body });
const list = async (query = '', at: Browser = ordering(shop)) => {
  const { body } = await getFresh(at, `${REVIEWS}${query}`);
  return body as { reviews: Review[]; average: number; count: number; nextCursor: string | null };
};
const shown = async (at: Browser = ordering(shop)) => (await getFresh(at, `/api/product/${oudSaffronMajlis}`)).body as object;

describe('a review', () => {
  let meera: OrderingBrowser;
  let first: Review;
  beforeAll(async () => {
    meera = await createBuyer();
    first = (await write(meera, 1, ' Gone by noon\r\n')).review;
  });

  test('has exactly these keys, and is seen at once by its author, in the list and in the product', async () => {
    const review = { _id: first._id, rating: 1, text: 'Gone by noon', name: 'Alice', at: expect.stringMatching(/Z$/), verified: true };
    expect(first).toStrictEqual(review);
    expect(await list('', meera)).toStrictEqual({ reviews: [review], average: 4.99, count: 413, nextCursor: null });
    expect(await shown(meera)).toMatchObject({ ratingStar: 5, reviewsCount: 413, average: 4.99 });
    expect((await meera.get('/api/product')).body).toContainEqual(expect.objectContaining({ reviewsCount: 413, average: 4.99 }));
    expect((await meera.get(`${REVIEWS}/mine`)).body).toMatchObject({ mayWrite: false, review: { _id: first._id, isHidden: false } });
  });

  test.each([
    ['without a rating', undefined, ''],
    ['with half a star', 4.5, ''],
    ['with no star', 0, ''],
    ['with six stars', 6, ''],
    ['with a rating in words', '5', ''],
    ['with too long a text', 5, 'x'.repeat(2_001)],
    ['with a text that is none', 5, { text: 'Warm' }],
  ])('%s is refused', async (_, rating, text) => {
    for (const answer of [await write(meera, rating, text), await put(meera, `${REVIEWS}/${first._id}`, { rating, text })])
      expect(answer).toMatchObject({ status: 400, body: { errors: expect.any(Object) } });
  });

  test('is written by buyers only, once, and counts from the moment of delivery', async () => {
    expect((await write(ordering(shop), 5)).status).toBe(401);
    const at = await signedUp(shop, 'not-yet@example.com');
    expect(await write(at, 5)).toMatchObject({ status: 403, body: { code: 'not_a_buyer' } });
    const { _id } = await at.buy();
    expect((await write(at, 5)).status).toBe(403);
    expect((await at.get(`${REVIEWS}/mine`)).body).toEqual({ mayWrite: false, boughtAt: null, review: null });
    await deliver(_id);
    expect((await at.get(`${REVIEWS}/mine`)).body).toMatchObject({ mayWrite: true, boughtAt: expect.stringMatching(/Z$/) });
    expect((await write(at, 5, 'Warm', `/api/product/${ruhGulab}/reviews`)).status).toBe(403);
    const answers = await Promise.all([write(at, 5), write(at, 5), write(at, 5)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await write(at, 5)).toMatchObject({ status: 409, body: { code: 'review_exists' } });
  });

  test('is changed and withdrawn by its author only, and may then be written anew', async () => {
    const at = await createBuyer();
    await catchUp(shop);
    const { count } = await list();
    const { review } = await write(at, 3);
    const path = `${REVIEWS}/${review._id}`;
    expect((await put(meera, path, { rating: 1 })).status).toBe(403);
    expect((await meera.send('DELETE', path)).status).toBe(403);
    expect((await ordering(shop).send('DELETE', path)).status).toBe(401);
    expect((await put(at, `/api/product/${ruhGulab}/reviews/${review._id}`, { rating: 1 })).status).toBe(404);
    expect((await put(at, `${REVIEWS}/nothing`, { rating: 1 })).status).toBe(404);
    expect(await put(at, path, { rating: 4 })).toMatchObject({ status: 200, body: { _id: review._id, rating: 4, text: '' } });
    expect((await list('', at)).count).toBe(count + 1);
    for (let times = 0; times < 2; times++) expect((await at.send('DELETE', path)).status).toBe(200);
    expect((await list('', at)).reviews).not.toContainEqual(expect.objectContaining({ _id: review._id }));
    expect((await list('', at)).count).toBe(count);
    expect((await put(at, path, { rating: 4 })).status).toBe(404);
    expect((await write(at, 5)).review._id).toBe(review._id);
  });

  test('is hidden by staff with a reason, leaves average and count, and can be shown again', async () => {
    const at = await createBuyer();
    const { review } = await write(at, 2, 'Call me');
    const before = await list('', at);
    const desk = `/api/admin/reviews/${review._id}`;
    for (const body of [{ hidden: true }, { hidden: true, reason: ' ' }, { hidden: 'yes', reason: 'x' }, {}])
      expect((await put(staff, desk, body)).status).toBe(400);
    expect((await put(staff, '/api/admin/reviews/nothing', { hidden: false })).status).toBe(404);
    const hidden = {
      ...review,
      product: { _id: oudSaffronMajlis, name: 'Oud Saffron Majlis', picture: '/pictures/products/oud-saffron-majlis.webp' },
      isNew: false,
      hidden: true,
      reason: 'Advertises',
      hiddenAt: expect.stringMatching(/Z$/),
      hiddenBy: expect.any(String),
    };
    for (let times = 0; times < 2; times++)
      expect(await put(staff, desk, { hidden: true, reason: 'Advertises' })).toMatchObject({ status: 200, body: hidden });
    expect(await list('', staff)).toMatchObject({ count: before.count - 1, reviews: before.reviews.slice(1) });
    expect((await staff.get('/api/admin/reviews?list=hidden')).body).toMatchObject({ reviews: [hidden], counts: { hidden: 1 } });
    expect(await put(at, `${REVIEWS}/${review._id}`, { rating: 5 })).toMatchObject({ status: 409, body: { code: 'review_hidden' } });
    expect((await at.get(`${REVIEWS}/mine`)).body).toMatchObject({ mayWrite: false, review: { isHidden: true } });
    expect(await put(staff, desk, { hidden: false })).toMatchObject({ status: 200, body: { hidden: false, isNew: true, reason: '' } });
    expect(await list('', staff)).toEqual(before);
    expect((await staff.get('/api/admin/reviews?q=call%20m')).body).toMatchObject({ reviews: [{ _id: review._id }], nextCursor: null });
    expect((await staff.get('/api/admin/reviews?q=call%00%20m')).body).toMatchObject({ reviews: [{ _id: review._id }] });
    expect((await staff.get('/api/admin/reviews?list=hidden&q=%25')).body).toMatchObject({ reviews: [] });
  });

  test('is listed newest first, on pages of at most fifty, to everybody', async () => {
    const { reviews } = await list();
    const seen: Review[] = [];
    for (let query: string | null = '?limit=2'; query !== null;) {
      const page = await list(query);
      seen.push(...page.reviews);
      query = page.nextCursor === null ? null : `?limit=2&cursor=${page.nextCursor}`;
    }
    expect(reviews.length).toBeGreaterThan(2);
    expect(seen).toEqual(reviews);
    expect(reviews.at(-1)).toEqual(first);
    expect((await ordering(shop).get(`${REVIEWS}?cursor=x`)).status).toBe(400);
    expect((await ordering(shop).get('/api/product/nothing/reviews')).status).toBe(404);
  });

  test('is not taken for the catalogue’s own when an admin saves a product as it was read', async () => {
    const before = await shown(staff);
    expect(before).toMatchObject({ own: { ratingStar: 5, reviewsCount: 412 } });
    const saved = await put(staff, `/api/product/${oudSaffronMajlis}`, { ...before, tag: 'Worn' });
    expect(saved).toMatchObject({ status: 200, body: { ...before, tag: 'Worn', revision: 1 } });
    expect(await put(staff, `/api/product/${oudSaffronMajlis}`, { reviewsCount: 10 })).toMatchObject({
      body: { own: { ratingStar: 5, reviewsCount: 10 } },
    });
  });
});
