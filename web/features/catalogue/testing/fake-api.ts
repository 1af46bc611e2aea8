import { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { parsePrice } from '#domain/shared/money.ts';
import type { ProductPageView, ProductView } from '#domain/product/view.ts';
import { httpClient } from '../../../lib/http/http-client.ts';

type Answer = { readonly status: number; readonly data: unknown; readonly headers: Record<string, string> };

type Query = Readonly<Record<string, string | number | undefined>>;

const found = (products: readonly ProductView[], { category, minPrice = 0, maxPrice = Infinity, q = '', sort }: Query): ProductView[] => {
  const families = typeof category === 'string' ? category.split(',') : undefined;
  const price = (product: ProductView) => parsePrice(product.price) / 100;
  const some = products.filter(
    (product) =>
      (!families || families.includes(product.category)) &&
      price(product) >= Number(minPrice) &&
      price(product) <= Number(maxPrice) &&
      product.name.toLowerCase().includes(String(q).toLowerCase()),
  );
  return sort === '-price' ? some.toSorted((a, b) => price(b) - price(a)) : some;
};

const page = (products: readonly ProductView[], query: Query): Answer => {
  const all = found(products, query);
  const from = Number(query['cursor'] ?? 0);
  const next = from + Number(query['limit'] ?? 200);
  const more = next < all.length && { link: `</api/product?limit=${query['limit']}&cursor=${next}>; rel="next"` };
  return { status: 200, data: all.slice(from, next), headers: { 'x-total-count': String(all.length), ...more } };
};

const one = (products: readonly ProductView[], id: string): Answer => {
  const product = products.find(({ _id }) => _id === decodeURIComponent(id));
  return product
    ? { status: 200, data: product, headers: {} }
    : { status: 404, data: { message: 'Product not found', code: 'product_not_found' }, headers: {} };
};

export type FakeApi = {
  readonly calls: string[];
  /** `up` answers, `down` refuses with 503, `unreachable` fails without a response, and `silent` never answers. */
  state: 'up' | 'down' | 'unreachable' | 'silent';
};

/** Creates a fake server with these products. Only the network is replaced; axios and RTK Query are real. */
export const fakeApi = (products: readonly ProductPageView[]): FakeApi => {
  const fake: FakeApi = { calls: [], state: 'up' };
  httpClient.defaults.adapter = async (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
    const { url = '', params = {} } = config;
    fake.calls.push(httpClient.getUri({ url, params }).replace('/api', ''));
    if (fake.state === 'silent') await new Promise(() => undefined);
    if (fake.state === 'unreachable') throw new AxiosError('Network Error', 'ERR_NETWORK', config);
    const down: Answer = { status: 503, data: { message: 'The shop is resting', code: 'unavailable' }, headers: {} };
    const answer =
      fake.state === 'down' ? down : url === '/product' ? page(products, params) : one(products, url.slice('/product/'.length));
    const response: AxiosResponse = { ...answer, headers: AxiosHeaders.from(answer.headers), statusText: '', config };
    if (answer.status >= 400) throw new AxiosError('Request failed', 'ERR_BAD_RESPONSE', config, undefined, response);
    return response;
  };
  return fake;
};
