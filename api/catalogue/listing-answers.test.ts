import { describe, expect, test } from 'vitest';

import { pageAnswer } from '#projections/catalogue/listing.ts';
import { toIndexedProduct } from '#projections/catalogue/indexed-product.ts';
import { ProductIndex, type ListingQuery } from '#projections/catalogue/product-index.ts';
import { bigShop } from '#projections/catalogue/testing/indexed-products.ts';

import { ListingAnswers } from './listing-answers.ts';

const KB = 1_024;

/** Opens a shop with 500 perfumes of a kilobyte of JSON each, which counts its queries. */
const openShop = () => {
  const index = new ProductIndex();
  index.change(bigShop(500, (name) => JSON.stringify({ name, description: 'x'.repeat(KB) })).map((row) => toIndexedProduct(row)));
  const shop = {
    edition: 1,
    asked: 0,
    page: (question: ListingQuery) => {
      shop.asked++;
      return pageAnswer(question, index.find(question));
    },
  };
  return shop;
};

describe('a cached response of the listing', () => {
  test('without a limit has 200 products and a link to the next page', () => {
    const { products, headers } = new ListingAnswers(openShop()).to('isTrending=false&sort=name');
    expect(products).toHaveLength(200);
    expect(headers.slice(-4)).toEqual([
      'X-Total-Count',
      '333',
      'Link',
      expect.stringMatching(/^<\/api\/product\?isTrending=false&sort=name&cursor=[\w-]+>; rel="next"$/),
    ]);
  });

  test('is composed once', () => {
    const shop = openShop();
    const answers = new ListingAnswers(shop);
    expect(answers.to('limit=20')).toBe(answers.to('limit=20'));
    expect(shop.asked).toBe(1);
  });

  test('is composed again for another edition', () => {
    const shop = openShop();
    const answers = new ListingAnswers(shop);
    answers.to('limit=20');
    shop.edition++;
    answers.to('limit=20');
    expect(shop.asked).toBe(2);
  });

  test('is evicted when there are too many and it is the oldest', () => {
    const shop = openShop();
    const answers = new ListingAnswers(shop, 100 * KB);
    for (let number = 0; number < 200; number++) answers.to(`limit=100&unknown=${number}`);
    expect(shop.asked).toBe(200);
    answers.to('limit=100&unknown=199');
    expect(shop.asked).toBe(200);
    answers.to('limit=100&unknown=0');
    expect(shop.asked).toBe(201);
  });

  test('is not kept for very long queries', () => {
    const shop = openShop();
    const answers = new ListingAnswers(shop);
    const endless = `limit=1&unknown=${'x'.repeat(KB)}`;
    answers.to(endless);
    answers.to(endless);
    expect(shop.asked).toBe(2);
  });
});
