import type { CartView } from '#domain/cart/view.ts';
import type { OrderView } from '#domain/order/view.ts';

import type { Browsing, Request, Told } from './browsing.ts';
import type { Chance } from './seeded-random.ts';
import type { Witnessed } from './recorded-answers.ts';

const form = {
  shipping: {
    name: 'Meera Nair',
    address1: '14 Marine Drive',
    address2: '',
    city: 'Kochi',
    state: 'Kerala',
    postalCode: '682031',
    country: 'India',
    phone: '+91 98470 00000',
    email: 'meera@example.com',
  },
  giftWrap: false,
  giftMessage: '',
};

/** A shopper repeats a request after this time, in ms, and at most this often after a conflict. */
const AGAIN_AFTER = 250;
const MOST_CONFLICTS = 5;
/** How often a checkout is refreshed after a price change. */
const MOST_REFRESHES = 3;
/** How many answered requests are kept to be sent again later. */
const REMEMBERED = 10;

export type Account = { readonly email: string; readonly password: string };

export type ShopperParts = {
  readonly number: number;
  readonly at: Browsing;
  readonly chance: Chance;
  readonly witnessed: Witnessed;
  readonly until: Pick<AbortSignal, 'aborted'>;
  /** Of a shopper who signs in now and then. */
  readonly account?: Account | undefined;
};

type Heard = Exclude<Told, 'unknown'>;
type Sent = Request & { readonly key: string; readonly id: string };

/** Tries to read another shopper's order. */
export const pry = async ({ number, at, chance, witnessed }: Omit<ShopperParts, 'until'>): Promise<void> => {
  const [first, ...others] = [...witnessed.placed].filter(([, { shopper }]) => shopper !== number);
  if (!first) return;
  const [id] = chance.oneOf([first, ...others]);
  const told = await at.ask({ method: 'GET', path: `/api/order/get-order/${id}` });
  witnessed.counts.pried += 1;
  if (told !== 'unknown' && told.status === 200) witnessed.exposed.push(`Shopper ${number} was shown the order ${id} of another`);
};

/** That the same request is being executed elsewhere, or a conflict, is not its final answer. */
const isFinal = ({ code }: Heard): boolean => code !== 'request_under_way' && code !== 'conflict';

class Shopper {
  /** Answered requests that may be sent again. */
  readonly #past: { readonly sent: Sent; readonly heard: Heard }[] = [];

  #isSignedIn = false;

  constructor(readonly parts: ShopperParts) {}

  #hold(sent: Sent, one: Told, other: Told): void {
    if (one === 'unknown' || other === 'unknown' || !isFinal(one) || !isFinal(other)) return;
    this.parts.witnessed.counts.repeated += 1;
    if (one.status === other.status && JSON.stringify(one.body) === JSON.stringify(other.body)) return;
    this.parts.witnessed.differing.push(
      `${sent.method} ${sent.path} was answered with ${one.status} and with ${other.status}, or otherwise`,
    );
  }

  /** In one of six cases a request is sent twice at once, to one process or to two. */
  async #send(sent: Sent): Promise<Told> {
    const { at, chance } = this.parts;
    if (!at.isKnown || chance.upTo(6) > 0) return at.ask(sent);
    const [one, other] = await Promise.all([at.ask(sent), at.ask(sent)]);
    this.#hold(sent, one, other);
    return one === 'unknown' ? other : one;
  }

  /** Repeats a request under one key until the answer is final: it must be executed once. */
  async #insist(method: string, path: string, body: object, id = this.parts.at.newId()): Promise<Heard | undefined> {
    const { at, until } = this.parts;
    const sent = { method, path, body, key: at.newId(), id };
    const isCovered = at.isKnown;
    for (let conflicts = 0; !until.aborted;) {
      const told = await this.#send(sent);
      if (told !== 'unknown' && (isFinal(told) || conflicts++ === MOST_CONFLICTS)) {
        if (isCovered && isFinal(told)) this.#past.push({ sent, heard: told });
        return told;
      }
      await at.pause(AGAIN_AFTER);
    }
    return undefined;
  }

  /** Sends an old request again, whose answer must be the same. */
  async #repeat(): Promise<void> {
    const { at, chance } = this.parts;
    const [first, ...others] = this.#past;
    if (!first || chance.upTo(3) > 0) return;
    const { sent, heard } = chance.oneOf([first, ...others]);
    this.#hold(sent, heard, await at.ask(sent));
    this.#past.splice(0, this.#past.length - REMEMBERED);
  }

  async #browse(): Promise<readonly string[]> {
    const { at, witnessed, chance } = this.parts;
    const told = await at.ask({ method: 'GET', path: chance.oneOf(['/api/product', '/api/product?sort=-rating', '/api/product?q=oud']) });
    if (told === 'unknown' || told.status !== 200) return [];
    witnessed.counts.browsed += 1;
    return (told.body as readonly { readonly _id: string }[]).map(({ _id }) => _id);
  }

  /** True if anything was added to the cart. */
  async #fill(products: readonly [string, ...string[]]): Promise<boolean> {
    const { at, chance, witnessed } = this.parts;
    let added = false;
    for (let more = 1 + chance.upTo(2); more > 0; more--) {
      const id = at.newId();
      const adding = { isCovered: at.isKnown, isAnswered: false };
      witnessed.additions.set(id, adding);
      const told = await this.#insist('POST', '/api/cart/add-to-cart', { _id: chance.oneOf(products) }, id);
      adding.isAnswered = told?.status === 200;
      added ||= adding.isAnswered;
    }
    return added;
  }

  /** Now and then changes a quantity in the cart, or removes a line. */
  async #reconsider(): Promise<void> {
    const { at, chance, witnessed } = this.parts;
    if (chance.upTo(4) > 0) return;
    const told = await at.ask({ method: 'GET', path: '/api/cart/get-cart' });
    if (told === 'unknown' || told.status !== 200) return;
    const [item] = (told.body as CartView).items;
    if (item === undefined) return;
    witnessed.counts.changed += 1;
    if (chance.upTo(3) === 0) await at.ask({ method: 'DELETE', path: `/api/cart/remove/${item.productId}` });
    else await this.#insist('PUT', `/api/cart/update/${item.productId}`, { quantity: 1 + chance.upTo(3) });
  }

  /** Checks out and places; refreshes the checkout when a price has changed. */
  async #checkOut(): Promise<void> {
    for (let refreshes = 0; refreshes < MOST_REFRESHES; refreshes++) {
      const created = await this.#insist('POST', '/api/order/create-order', form);
      if (created === undefined || created.status >= 400) return;
      const { order } = created.body as { readonly order: OrderView };
      const told = await this.#place(order._id);
      if (told?.code !== 'offer_changed') return;
    }
  }

  async #place(id: string): Promise<Heard | undefined> {
    const { number, witnessed, chance } = this.parts;
    const placing = ['PUT', `/api/order/place-order/${id}`, { method: 'COD' }] as const;
    witnessed.asked.add(id);
    const told = await this.#insist(...placing);
    if (told?.status !== 200) return told;
    if (witnessed.placed.has(id)) witnessed.exposed.push(`Two checkouts were answered with the one order ${id}`);
    witnessed.placed.set(id, { order: told.body as OrderView, shopper: number });
    // A second click, with another key and perhaps at another process.
    if (chance.upTo(3) === 0) await this.#insist(...placing);
    return told;
  }

  /** A shopper with an account signs in now and then, with the current cart, and out again. */
  async #comeOrGo(): Promise<void> {
    const { at, account, chance, until } = this.parts;
    if (account === undefined || chance.upTo(3) > 0) return;
    const request = { method: 'POST', path: this.#isSignedIn ? '/api/user/logout' : '/api/user/login', body: account };
    for (let told: Told = 'unknown'; told === 'unknown' && !until.aborted;) {
      told = await at.ask(request);
      if (told === 'unknown') await at.pause(AGAIN_AFTER);
    }
    this.#isSignedIn = !this.#isSignedIn;
    // Keys belong to the session, which is a new one now.
    this.#past.length = 0;
  }

  async visit(): Promise<void> {
    const [first, ...others] = await this.#browse();
    if (first === undefined) return void (await this.parts.at.pause(AGAIN_AFTER));
    await this.#comeOrGo();
    // Without a new line this may still be the version of the cart that was ordered before.
    if (await this.#fill([first, ...others])) {
      await this.#reconsider();
      await this.#checkOut();
    }
    await pry(this.parts);
    await this.#repeat();
  }
}

/** Shops until stopped: browses, fills a cart, changes it, checks out, places, clicks twice, and tries to read other orders. */
export const shopUntil = async (parts: ShopperParts): Promise<void> => {
  const shopper = new Shopper(parts);
  while (!parts.until.aborted) await shopper.visit();
};
