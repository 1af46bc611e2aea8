import { parsePrice } from '#domain/shared/money.ts';
import type { ProductPageView, ProductView } from '#domain/product/view.ts';
import { httpClient } from '../../../lib/http/http-client.ts';
import { answerCalls, NO_ANSWER, type Answer, type Call } from '../../../testing/shop.tsx';

type Query = Call['params'];

const found = (products: readonly ProductView[], { category, minPrice = 0, maxPrice = Infinity, q, sort }: Query): ProductView[] => {
  const families = typeof category === 'string' ? category.split(',') : undefined;
  const price = (product: ProductView) => parsePrice(product.price) / 100;
  const some = products.filter(
    (product) =>
      (!families || families.includes(product.category)) &&
      price(product) >= Number(minPrice) &&
      price(product) <= Number(maxPrice) &&
      product.name.toLowerCase().includes(String(q ?? '').toLowerCase()),
  );
  return sort === '-price' ? some.toSorted((a, b) => price(b) - price(a)) : some;
};

const page = (products: readonly ProductView[], query: Query): Answer => {
  const all = found(products, query);
  const from = Number(query['cursor'] ?? 0);
  const next = from + Number(query['limit'] ?? 200);
  const more = next < all.length && { link: `</api/product?limit=${query['limit']}&cursor=${next}>; rel="next"` };
  return { data: all.slice(from, next), headers: { 'x-total-count': String(all.length), ...more } };
};

const one = (products: readonly ProductView[], id: string): Answer => {
  const product = products.find(({ _id }) => _id === decodeURIComponent(id));
  return product ? { data: product } : { status: 404, data: { message: 'Product not found', code: 'product_not_found' } };
};

export type FakeApi = {
  readonly calls: string[];
  /** `up` answers, `down` refuses with 503, `unreachable` fails without a response, and `silent` never answers. */
  state: 'up' | 'down' | 'unreachable' | 'silent';
};

/** Creates a fake server with these products. Only the network is replaced; axios and RTK Query are real. */
export const fakeApi = (products: readonly ProductPageView[]): FakeApi => {
  const fake: FakeApi = { calls: [], state: 'up' };
  answerCalls(({ url, params }) => {
    fake.calls.push(httpClient.getUri({ url, params }).replace('/api', ''));
    if (fake.state === 'silent') return NO_ANSWER;
    if (fake.state === 'unreachable') return 'gone';
    if (fake.state === 'down') return { status: 503, data: { message: 'The shop is resting', code: 'unavailable' } };
    return url === '/product' ? page(products, params) : one(products, url.slice('/product/'.length));
  });
  return fake;
};
