import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

import { createCircuit } from './circuit.ts';
import {
  standingRefund,
  computeExpiry,
  GatewayRefused,
  GatewayUnavailable,
  referenceIds,
  within,
  type Gateway,
  type GatewayLink,
  type GatewayRefund,
  type LinkOrder,
  type RefundOrder,
} from './gateway.ts';
import { razorpayClient, type RazorpayClientOptions } from './razorpay-client.ts';
import { LinkEntity, parseLink, ORDER_NOTE, REFUND_NOTE, RefundEntity, parseRefund, toStorable } from './razorpay-entities.ts';

export type RazorpayOptions = Omit<RazorpayClientOptions, 'timeout'> & {
  /** All requests of one call together may take this many ms. */
  readonly timeout?: number;
  /** Returns ms, for the circuit breaker and timeouts. */
  readonly clock?: () => number;
  readonly now?: () => number;
};

/** Whoever waits for the shop gets an answer within ten seconds. */
const TIMEOUT = 9_000;
/** A request that came too soon is sent again after this many ms, then after twice as many, this many times. */
const SOON = 500;
const MOST_PAUSES = 3;
/** Razorpay returns at most this many items a page. */
const PAGE = 100;
const MOST_RECEIPT = 40;

const Links = z.object({ payment_links: z.array(z.unknown()) });
const Refunds = z.object({ items: z.array(RefundEntity) });
/** The library rejects with this shape. On a network error it rejects with a TypeError instead. */
const Failure = z.object({
  statusCode: z.coerce.number(),
  error: z.object({ description: z.string().optional() }).optional().catch(undefined),
});

const ID = /^[\w-]{1,64}$/;
const isUnknown = ({ status, message }: GatewayRefused): boolean =>
  status === 404 || (status === 400 && /does not exist|not a valid id/i.test(message));
const isTaken = (error: unknown): boolean => error instanceof GatewayRefused && /reference_id.*already exists/is.test(error.message);

const ifRefused =
  <T>(instead: (refused: GatewayRefused) => T) =>
  (error: unknown): T => {
    if (error instanceof GatewayRefused) return instead(error);
    throw error;
  };

export const razorpayGateway = (options: RazorpayOptions): Gateway => {
  const { keyId, keySecret, url, timeout = TIMEOUT, clock = () => performance.now(), now = Date.now } = options;
  const razorpay = razorpayClient({ keyId, keySecret, url, timeout });
  const circuit = createCircuit(clock);

  /** Converts an error without keeping its cause, because axios errors contain the keys. */
  const toError = (thrown: unknown): Error => {
    if (thrown instanceof GatewayUnavailable) return thrown;
    const { data } = Failure.safeParse(thrown);
    if (!data) return new GatewayUnavailable('The payment gateway did not answer');
    const { statusCode: status, error } = data;
    if (status === 401 || status === 403)
      return new GatewayUnavailable(`The payment gateway does not take the keys: status ${status}`, 'other');
    if (status === 429) return new GatewayUnavailable('The payment gateway has had too many requests', 'busy');
    if (status < 400) return new GatewayUnavailable(`The payment gateway answered with status ${status}`, 'other');
    if (status === 408 || status >= 500) return new GatewayUnavailable(`The payment gateway answered with status ${status}`);
    const words = error?.description ?? `The payment gateway refused with status ${status}`;
    return new GatewayRefused(toStorable(words).replaceAll(keySecret, '…').replaceAll(keyId, '…').slice(0, 500), status);
  };

  type Ask = <Schema extends z.ZodType>(schema: Schema, request: () => Promise<unknown>) => Promise<z.output<Schema>>;
  /** Makes the function that sends the requests of one call, which share its timeout. A request that came too soon is sent again later. */
  const asker = (): Ask => {
    const deadline = clock() + timeout;
    const askOnce: Ask = (schema, request) =>
      circuit.run(async () => {
        const left = deadline - clock();
        if (left <= 0) throw new GatewayUnavailable('The payment gateway did not answer in time');
        const answer = await within(left, request()).catch((thrown: unknown) => {
          throw toError(thrown);
        });
        const parsed = schema.safeParse(answer);
        if (!parsed.success) throw new GatewayUnavailable('The payment gateway gave an answer that cannot be read', 'other');
        return parsed.data;
      });
    return async (schema, request) => {
      for (let pause = SOON; ; pause *= 2) {
        try {
          return await askOnce(schema, request);
        } catch (error) {
          const isBusy = error instanceof GatewayUnavailable && error.why === 'busy';
          if (!isBusy || pause >= SOON * 2 ** MOST_PAUSES || clock() + pause >= deadline) throw error;
        }
        await sleep(pause);
      }
    };
  };

  /** Searches the listed links for the name, because Razorpay may not filter the list. */
  const listed = async (ask: Ask, referenceId: string, query: object): Promise<GatewayLink | undefined> => {
    const { payment_links: all } = await ask(Links, () => razorpay.paymentLink.all({ ...query, count: PAGE }));
    for (const each of all) {
      const { data } = LinkEntity.safeParse(each);
      if (data?.reference_id === referenceId) return parseLink(data);
    }
    return undefined;
  };

  const create = async (ask: Ask, order: LinkOrder, referenceId: string): Promise<GatewayLink> => {
    const expiresAt = computeExpiry(order.expiresAt, now());
    const wanted = {
      amount: order.amount,
      currency: 'INR',
      accept_partial: false,
      description: `RUHANI order ${order.number}`,
      reference_id: referenceId,
      notes: { [ORDER_NOTE]: order.reference, order_number: order.number },
      notify: { sms: false, email: false },
      reminder_enable: false,
      callback_url: order.returnTo,
      callback_method: 'get',
      ...(expiresAt && { expire_by: Math.floor(Date.parse(expiresAt) / 1_000) }),
    };
    // The types require a customer, but Razorpay does not: no personal data is sent.
    type Wanted = Parameters<typeof razorpay.paymentLink.create>[0];
    return parseLink(await ask(LinkEntity, () => razorpay.paymentLink.create(wanted as unknown as Wanted)));
  };

  const openLink = async (order: LinkOrder): Promise<GatewayLink> => {
    const ask = asker();
    const isWanted = (link: GatewayLink): boolean => link.status === 'open' && link.amount === order.amount;
    for (const referenceId of referenceIds(order.reference)) {
      const known = await listed(ask, referenceId, { reference_id: referenceId });
      if (known && isWanted(known)) return known;
      if (known) continue;
      try {
        return await create(ask, order, referenceId);
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
      // Another process made the link just now or long ago. It is either among the newest, or nobody can use it any more.
      const made = await listed(ask, referenceId, {});
      if (made && isWanted(made)) return made;
    }
    throw new GatewayRefused('This order has had too many payment links');
  };

  const fetchLink = async (ask: Ask, id: string): Promise<GatewayLink | undefined> => {
    const known = await ask(LinkEntity, () => razorpay.paymentLink.fetch(id)).catch(
      ifRefused((refused) => {
        if (isUnknown(refused)) return undefined;
        throw refused;
      }),
    );
    return known && parseLink(known);
  };

  const closeLink = async (id: string): Promise<void> => {
    if (!ID.test(id)) return;
    const ask = asker();
    const refused = await ask(z.unknown(), () => razorpay.paymentLink.cancel(id)).then(
      () => undefined,
      ifRefused((refused) => refused),
    );
    if (!refused || isUnknown(refused)) return;
    if ((await fetchLink(ask, id))?.status === 'open') throw refused;
  };

  const listRefunds = async (ask: Ask, payment: string): Promise<GatewayRefund[]> => {
    if (!ID.test(payment)) throw new GatewayRefused('There is no such payment', 404);
    return (await ask(Refunds, () => razorpay.payments.fetchMultipleRefund(payment, { count: PAGE }))).items.map(parseRefund);
  };

  const refund = async ({ payment, amount, reference, isKnown }: RefundOrder): Promise<GatewayRefund> => {
    const ask = asker();
    const before = (await listRefunds(ask, payment)).filter((each) => each.reference === reference);
    const answer = standingRefund(before, isKnown);
    if (answer) return answer;
    // Razorpay accepts a receipt once, so each try has its own; the note names the refund in every try.
    const receipt = before.length === 0 ? reference : `${reference}-${before.length + 1}`;
    const wanted = { amount, speed: 'normal' as const, notes: { [REFUND_NOTE]: reference } };
    return parseRefund(
      await ask(RefundEntity, () => razorpay.payments.refund(payment, receipt.length <= MOST_RECEIPT ? { ...wanted, receipt } : wanted)),
    );
  };

  return {
    openLink,
    link: (id) => (ID.test(id) ? fetchLink(asker(), id) : Promise.resolve(undefined)),
    closeLink,
    refundsOf: (payment) => listRefunds(asker(), payment),
    refund,
    isAvailable: circuit.isClosed,
  };
};
