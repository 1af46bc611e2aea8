import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { OrderView } from '#domain/order/view.ts';

import type { Chance } from './chance.ts';
import type { Told, Visitor } from './visitor.ts';

/** What shoppers were told, to be held against the log. */
export type Witnessed = {
  /** Orders as they were answered when they were placed, by id, and by which shopper. */
  readonly placed: Map<string, { readonly order: OrderView; readonly shopper: number }>;
  /** What the staff were told that they had made of orders. */
  readonly moved: { readonly id: string; readonly status: string }[];
  /** Of a shopper: how many checkouts were begun and not seen to be placed. */
  readonly unsure: Map<number, number>;
  /** What must never happen, in a sentence each. */
  readonly broken: string[];
  browsed: number;
  added: number;
};

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

/** After so long a shopper clicks again, in ms, and so often where the answer is a conflict. */
const AGAIN_AFTER = 250;
const MOST_CONFLICTS = 5;

type Parts = {
  readonly number: number;
  readonly at: Visitor;
  readonly chance: Chance;
  readonly witnessed: Witnessed;
  readonly until: AbortSignal;
};

class Shopper {
  constructor(readonly parts: Parts) {}

  /** Asks until there is an answer that tells, under one key: however often it arrives it is to be done once. */
  async #insist(method: string, path: string, body: object): Promise<Exclude<Told, 'unknown'> | undefined> {
    const { at, until } = this.parts;
    const key = randomUUID();
    for (let conflicts = 0; !until.aborted;) {
      const told = await at.ask(method, path, body, key);
      // A conflict may be of that moment: another process was just at it.
      if (told !== 'unknown' && (told.status !== 409 || conflicts++ === MOST_CONFLICTS)) return told;
      await pause(AGAIN_AFTER);
    }
    return undefined;
  }

  async #browse(): Promise<readonly string[]> {
    const told = await this.parts.at.ask('GET', '/api/product');
    if (told === 'unknown' || told.status !== 200) return [];
    this.parts.witnessed.browsed += 1;
    return (told.body as readonly { readonly _id: string }[]).map(({ _id }) => _id);
  }

  async #fill(products: readonly [string, ...string[]]): Promise<void> {
    const { chance, witnessed } = this.parts;
    for (let more = 1 + chance.upTo(2); more > 0; more--) {
      const told = await this.#insist('POST', '/api/cart/add-to-cart', { _id: chance.oneOf(products) });
      if (told?.status === 200) witnessed.added += 1;
    }
  }

  async #checkOut(): Promise<void> {
    const { number, witnessed, chance } = this.parts;
    const unsure = (by: number) => witnessed.unsure.set(number, (witnessed.unsure.get(number) ?? 0) + by);
    const created = await this.#insist('POST', '/api/order/create-order', form);
    if (created === undefined || created.status >= 400) return;
    const { order } = created.body as { readonly order: OrderView };
    unsure(1);
    const placing = `/api/order/place-order/${order._id}`;
    const told = await this.#insist('PUT', placing, { method: 'COD' });
    if (told?.status !== 200) return;
    unsure(-1);
    if (witnessed.placed.has(order._id)) witnessed.broken.push(`Two checkouts were answered with the one order ${order._id}`);
    witnessed.placed.set(order._id, { order: told.body as OrderView, shopper: number });
    // A second click, under another key and perhaps at another process.
    if (chance.upTo(3) === 0) await this.#insist('PUT', placing, { method: 'COD' });
  }

  /** Looks for what is somebody else's. */
  async #pry(): Promise<void> {
    const { number, at, chance, witnessed } = this.parts;
    const [first, ...others] = [...witnessed.placed].filter(([, { shopper }]) => shopper !== number);
    if (!first) return;
    const [id] = chance.oneOf([first, ...others]);
    const told = await at.ask('GET', `/api/order/get-order/${id}`);
    if (told !== 'unknown' && told.status === 200) witnessed.broken.push(`Shopper ${number} was shown the order ${id} of another`);
  }

  async visit(): Promise<void> {
    const [first, ...others] = await this.#browse();
    if (first === undefined) return pause(AGAIN_AFTER);
    await this.#fill([first, ...others]);
    await this.#checkOut();
    await this.#pry();
  }
}

/** Shops until it is told to stop: looks around, fills a cart, checks out, places, clicks twice, pries. */
export const shopUntil = async (parts: Parts): Promise<void> => {
  const shopper = new Shopper(parts);
  while (!parts.until.aborted) await shopper.visit();
};
