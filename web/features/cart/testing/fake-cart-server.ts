import { AxiosError, AxiosHeaders, create, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { cart, type Cart, type CartCommand } from '#domain/cart/cart.ts';
import { viewCart, type CartView } from '#domain/cart/view.ts';
import type { Offer, Offers } from '#domain/product/offer.ts';
import type { ProductView } from '#domain/product/view.ts';
import { productId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { formatRupees, paise } from '#domain/shared/money.ts';
import { STANDARD_RATE } from '#domain/tax/rates.ts';
import { perfume } from '../../../testing/perfumes.ts';

const now = instant('2026-11-14T05:00:00.000Z');

const priced = (name: string, rupees: number): ProductView =>
  perfume({ name, details: 'Damask rose · oud · clove', price: formatRupees(paise(rupees * 100)), productImageUrl: [] });

export const gulab = priced('Ruh Gulab', 2450);
export const oud = priced('Assam Oud Noir', 3100);
export const mitti = priced('Mitti After Rain', 1150);
/** This product is out of stock while the page still shows it as available. */
export const khus = priced('Ruh Khus', 1900);
const catalogue = [gulab, oud, mitti, khus];

const offered = ({ price, ...product }: ProductView): Offer => ({
  product: { ...product, price, inStock: product._id !== khus._id },
  price: paise(Math.round(Number(price.replace(/[^\d.]/g, '')) * 100)),
  removed: false,
  available: null,
});
const offers: Offers = new Map(catalogue.map((product) => [product._id, offered(product)]));

/** The outcome of a call: executed and answered, executed but unanswered, a 5xx, or never received. */
export type Fate = 'answered' | 'lost' | 'down' | 'unreachable';
export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly quantity: number | undefined;
  readonly key: string | undefined;
};
type Waiting = Asked & { readonly end: (fate: Fate) => void };

const getKey = ({ headers }: InternalAxiosRequestConfig): string | undefined => {
  const key = headers.get('Idempotency-Key');
  return typeof key === 'string' ? key : undefined;
};

const parseCommand = ({ method, url, quantity = 1 }: Asked): CartCommand | undefined => {
  const id = productId(url.split('/').at(-1) ?? '');
  if (method === 'put') return { type: 'ChangeQuantity', productId: id, quantity, now };
  if (method === 'delete') return { type: 'RemoveItem', productId: id, now };
  return undefined;
};

/** A fake cart server that decides with the domain's own code. The test decides when and how each call ends. */
export const fakeCartServer = () => {
  let state: Cart = cart.initial;
  const asked: Asked[] = [];
  const waiting: Waiting[] = [];

  const act = (command: CartCommand): string | undefined => {
    const decision = cart.decide(state, command);
    if (!decision.ok) return decision.rejection.code;
    state = decision.events.reduce(cart.evolve, state);
    return undefined;
  };
  const view = (): CartView => viewCart(state, offers, { get: () => STANDARD_RATE });

  const adapter = async (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
    const body: { _id?: string; quantity?: number } = typeof config.data === 'string' ? JSON.parse(config.data) : {};
    const call = { method: config.method ?? '', url: config.url ?? '', quantity: body.quantity, key: getKey(config) };
    asked.push(call);
    const fate = await new Promise<Fate>((end) => waiting.push({ ...call, end }));
    const gone = new AxiosError('Network Error', AxiosError.ERR_NETWORK, config);
    const answer = (status: number, data: unknown) => ({ status, data, statusText: '', headers: new AxiosHeaders(), config });
    const refuse = (status: number, data: unknown) => new AxiosError('Refused', undefined, config, undefined, answer(status, data));
    if (fate === 'unreachable') throw gone;
    if (fate === 'down') throw refuse(500, {});
    const command: CartCommand | undefined =
      call.method === 'post'
        ? { type: 'AddItem', productId: productId(body._id ?? ''), quantity: body.quantity ?? 1, offers, now }
        : parseCommand(call);
    const rejection = command && act(command);
    if (fate === 'lost') throw gone;
    if (rejection !== undefined)
      throw refuse(409, { message: rejection === 'product_out_of_stock' ? 'Product is out of stock' : rejection });
    return answer(200, view());
  };

  return {
    api: create({ adapter }),
    asked,
    waiting: (): number => waiting.length,
    end: (fate: Fate = 'answered', index = 0): void => waiting.splice(index, 1)[0]?.end(fate),
    /** Changes the cart as another window of the same shopper would. */
    actElsewhere: act,
    view,
  };
};
