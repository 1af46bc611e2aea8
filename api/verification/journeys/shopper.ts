import type { CartView } from '#domain/cart/view.ts';
import type { OrderView } from '#domain/order/view.ts';
import { home } from '#domain/testing/orders.ts';

import type { Browsing, Request, ClientOutcome } from './browsing.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { RecordedAnswers } from './recorded-answers.ts';

const form = {
  shipping: home,
  giftWrap: false,
  giftMessage: '',
};

/** After a conflict a shopper waits `AGAIN_AFTER` ms, at most `MOST_CONFLICTS` times. */
const RETRY_DELAY_MS = 250;
const MOST_CONFLICTS = 5;
const MOST_REFRESHES = 3;
/** A shopper remembers this many answered requests, to send them again. */
const REMEMBERED = 10;

export type ShopperAccount = { readonly email: string; readonly password: string };

export type ShopperParts = {
  readonly number: number;
  readonly at: Browsing;
  readonly random: SeededRandom;
  readonly recorded: RecordedAnswers;
  readonly until: Pick<AbortSignal, 'aborted'>;
  readonly account?: ShopperAccount | undefined;
  /** The payment gateway's pages. With them, every second order is prepaid. */
  readonly bank?: Pick<Browsing, 'ask'> | undefined;
};

type Heard = Exclude<ClientOutcome, 'unknown'>;
type Sent = Request & { readonly key: string; readonly id: string };

export const probeOthers = async ({ number, at, random, recorded }: Omit<ShopperParts, 'until'>): Promise<void> => {
  const [first, ...others] = [...recorded.placed].filter(([, { shopper }]) => shopper !== number);
  if (!first) return;
  const [id] = random.oneOf([first, ...others]);
  const told = await at.ask({ method: 'GET', path: `/api/order/get-order/${id}` });
  recorded.counts.triedOthers += 1;
  if (told !== 'unknown' && told.status === 200) recorded.exposed.push(`Shopper ${number} was shown the order ${id} of another`);
};

const isFinal = ({ code }: Heard): boolean => code !== 'request_under_way' && code !== 'conflict';

class Shopper {
  readonly #past: { readonly sent: Sent; readonly heard: Heard }[] = [];

  #isSignedIn = false;

  constructor(readonly parts: ShopperParts) {}

  #hold(sent: Sent, one: ClientOutcome, other: ClientOutcome): void {
    if (one === 'unknown' || other === 'unknown' || !isFinal(one) || !isFinal(other)) return;
    this.parts.recorded.counts.repeated += 1;
    if (one.status === other.status && JSON.stringify(one.body) === JSON.stringify(other.body)) return;
    this.parts.recorded.differing.push(
      `${sent.method} ${sent.path} was answered with ${one.status} and with ${other.status}, or otherwise`,
    );
  }

  /** Sends a request, in one of six cases twice at once, to the same process or to two. */
  async #send(sent: Sent): Promise<ClientOutcome> {
    const { at, random } = this.parts;
    if (!at.isKnown || random.upTo(6) > 0) return at.ask(sent);
    const [one, other] = await Promise.all([at.ask(sent), at.ask(sent)]);
    this.#hold(sent, one, other);
    return one === 'unknown' ? other : one;
  }

  /** Repeats a request with the same key until the answer is final. The request must be executed once. */
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
      await at.pause(RETRY_DELAY_MS);
    }
    return undefined;
  }

  /** Sends an old request again. The answer must be the same. */
  async #repeat(): Promise<void> {
    const { at, random } = this.parts;
    const [first, ...others] = this.#past;
    if (!first || random.upTo(3) > 0) return;
    const { sent, heard } = random.oneOf([first, ...others]);
    this.#hold(sent, heard, await at.ask(sent));
    this.#past.splice(0, this.#past.length - REMEMBERED);
  }

  async #browse(): Promise<readonly string[]> {
    const { at, recorded, random } = this.parts;
    const told = await at.ask({ method: 'GET', path: random.oneOf(['/api/product', '/api/product?sort=-rating', '/api/product?q=oud']) });
    if (told === 'unknown' || told.status !== 200) return [];
    recorded.counts.browsed += 1;
    return (told.body as readonly { readonly _id: string }[]).map(({ _id }) => _id);
  }

  async #fill(products: readonly [string, ...string[]]): Promise<boolean> {
    const { at, random, recorded } = this.parts;
    let added = false;
    for (let more = 1 + random.upTo(2); more > 0; more--) {
      const id = at.newId();
      const adding = { isCovered: at.isKnown, isAnswered: false };
      recorded.additions.set(id, adding);
      const told = await this.#insist('POST', '/api/cart/add-to-cart', { _id: random.oneOf(products) }, id);
      adding.isAnswered = told?.status === 200;
      added ||= adding.isAnswered;
    }
    return added;
  }

  async #reconsider(): Promise<void> {
    const { at, random, recorded } = this.parts;
    if (random.upTo(4) > 0) return;
    const told = await at.ask({ method: 'GET', path: '/api/cart/get-cart' });
    if (told === 'unknown' || told.status !== 200) return;
    const [item] = (told.body as CartView).items;
    if (item === undefined) return;
    recorded.counts.changed += 1;
    if (random.upTo(3) === 0) await at.ask({ method: 'DELETE', path: `/api/cart/remove/${item.productId}` });
    else await this.#insist('PUT', `/api/cart/update/${item.productId}`, { quantity: 1 + random.upTo(3) });
  }

  /** Creates an order, and refreshes it when a price has changed. */
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
    const { number, recorded, random, bank } = this.parts;
    const method = bank && random.upTo(2) === 0 ? 'Prepaid' : 'COD';
    const placing = ['PUT', `/api/order/place-order/${id}`, { method }] as const;
    recorded.asked.add(id);
    const told = await this.#insist(...placing);
    if (told?.status !== 200) return told;
    if (recorded.placed.has(id)) recorded.exposed.push(`Two checkouts were answered with the one order ${id}`);
    recorded.placed.set(id, { order: told.body as OrderView, shopper: number });
    // A second click places the order again, with another key and perhaps in another process.
    if (random.upTo(3) === 0) await this.#insist(...placing);
    if (bank && method === 'Prepaid') await this.#payOrNot(id, bank);
    return told;
  }

  /**
   * Leaves, pays, pays twice, fails first, cancels before or after paying, or gets money back at the gateway itself. The gateway always
   * reports a second payment and such a refund.
   */
  async #payOrNot(id: string, bank: Pick<Browsing, 'ask'>): Promise<void> {
    const { at, random, recorded } = this.parts;
    const asked = await this.#insist('POST', `/api/order/pay/${id}`, {});
    if (asked?.status !== 200) return;
    const page = new URL((asked.body as { readonly url: string }).url).pathname;
    const click = async (button: 'pay' | 'fail' | 'refund', webhook: string, amount?: number): Promise<void> => {
      const told = await bank.ask({ method: 'POST', path: `${page}/${button}`, body: { webhook, amount } });
      if (button === 'pay' && told !== 'unknown' && told.status === 200) recorded.counts.paid += 1;
    };
    const told = (): string => random.oneOf(['now', 'twice', 'late']);
    const cancel = async (): Promise<void> => {
      const answer = await this.#insist('PUT', `/api/order/cancel/${id}`, { reason: 'Too dear' });
      if (answer?.status === 200) recorded.moved.push({ id, status: 'cancelled' });
    };
    const pay = () => click('pay', random.oneOf([told(), told(), 'never']));
    const refund = () => click('refund', told(), random.oneOf([undefined, 0.5, 100.25]));
    const [first, then, last] = random.oneOf<readonly (() => Promise<void>)[]>([
      [],
      [pay],
      [() => click('pay', told()), () => click('pay', told())],
      [() => click('fail', told()), pay],
      [cancel, pay],
      [pay, cancel],
      [pay, refund],
      [pay, refund, refund],
      [pay, refund, cancel],
      [pay, cancel, refund],
      [() => click('pay', told()), () => click('pay', told()), refund],
    ]);
    await first?.();
    await then?.();
    await last?.();
    if (random.upTo(2) === 0) await at.ask({ method: 'POST', path: `/api/order/check-payment/${id}`, body: {} });
  }

  async #comeOrGo(): Promise<void> {
    const { at, account, random, until } = this.parts;
    if (account === undefined || random.upTo(3) > 0) return;
    const request = { method: 'POST', path: this.#isSignedIn ? '/api/user/logout' : '/api/user/login', body: account };
    for (let told: ClientOutcome = 'unknown'; told === 'unknown' && !until.aborted;) {
      told = await at.ask(request);
      if (told === 'unknown') await at.pause(RETRY_DELAY_MS);
    }
    this.#isSignedIn = !this.#isSignedIn;
    // Keys belong to the previous session.
    this.#past.length = 0;
  }

  /** Places an old order again, as from a page that was left open. */
  async #placeAgain(): Promise<void> {
    const { number, recorded, random } = this.parts;
    const [first, ...others] = [...recorded.placed].filter(([, { shopper }]) => shopper === number);
    if (first && random.upTo(3) === 0)
      await this.#insist('PUT', `/api/order/place-order/${random.oneOf([first, ...others])[0]}`, { method: 'COD' });
  }

  async visit(): Promise<void> {
    const [first, ...others] = await this.#browse();
    if (first === undefined) return void (await this.parts.at.pause(RETRY_DELAY_MS));
    await this.#comeOrGo();
    // Without a new line the cart may still be the version that was ordered before.
    if (await this.#fill([first, ...others])) {
      await this.#reconsider();
      await this.#checkOut();
    }
    await probeOthers(this.parts);
    await this.#placeAgain();
    await this.#repeat();
  }
}

/** Until stopped, browses, fills a cart, changes it, checks out, places the order, clicks twice, and tries to read others' orders. */
export const shopUntil = async (parts: ShopperParts): Promise<void> => {
  const shopper = new Shopper(parts);
  while (!parts.until.aborted) await shopper.visit();
};
