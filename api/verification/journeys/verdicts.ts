import type { ShopperId } from '#domain/shared/ids.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { isPlaced, isUnderWay } from '#domain/order/rules.ts';
import { computeBill, computeTotals } from '#domain/order/totals.ts';
import { NO_PAYMENT, owedFor, receivedAmount } from '#domain/payment/rules.ts';
import { rupees, sum, ZERO } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';

import type { Audited } from '../../audit/books/books.ts';
import type { OrderIds } from '../../orders/order-ids.ts';
import type { TestLink } from '../../payments/gateway/test-gateway-rows.ts';
import type { LogBook } from './log-book.ts';
import type { RecordedAnswers } from './recorded-answers.ts';

/** `broken` is empty if the invariant holds. */
export type InvariantResult = { readonly invariant: string; readonly broken: readonly string[] };

export const answeredIsInLog = ({ placed, additions }: RecordedAnswers, log: LogBook): InvariantResult => {
  const broken: string[] = [];
  for (const [id, { order }] of placed) {
    const found = log.orders.get(id);
    if (!found || !isPlaced(found)) broken.push(`${id} was answered as placed and is not in the log`);
    else if (found.placement.number !== order.orderNumber) broken.push(`${id} was answered with another number`);
    else if (rupees(computeTotals(found).total) !== order.total) broken.push(`${id} was answered with another total`);
  }
  for (const [id, { isAnswered }] of additions)
    if (isAnswered && !log.additions.has(id)) broken.push(`What request ${id} was answered to have put into a cart never came there`);
  return { invariant: 'every success that was answered is in the log, with its number and its total', broken };
};

export const movesAreInLog = ({ moved }: RecordedAnswers, { orders }: LogBook): InvariantResult => {
  const broken = moved.flatMap(({ id, status }) => {
    const found = orders.get(id);
    const isThere = found !== undefined && found.status !== 'none' && found.history.some((entry) => entry.status === status);
    return isThere ? [] : [`${id} was answered as ${status}, of which the log knows nothing`];
  });
  return { invariant: 'every order step confirmed to staff is in the log', broken };
};

/** A process whose clock is ahead would cancel orders that are not due, and date that later than now. */
export const lapsedInTime = ({ lapsed }: Pick<LogBook, 'lapsed'>, now: Instant): InvariantResult => ({
  invariant: 'no unpaid order was cancelled before its time',
  broken: [...lapsed].filter(([, at]) => at > now).map(([id, at]) => `${id} was cancelled at ${at}, and it is ${now}`),
});

export const repeatedIsDoneOnce = ({ additions, differing }: RecordedAnswers, log: LogBook): InvariantResult => {
  const broken = [...differing];
  for (const [id, { isCovered }] of additions) {
    const times = log.additions.get(id) ?? 0;
    if (isCovered && times > 1) broken.push(`Request ${id} has put something into a cart ${times} times`);
  }
  return { invariant: 'a request that came more than once was done once, and answered the same', broken };
};

/** Returns the order id of each version of each cart, with the lines of that version. */
const listVersions = ({ carts }: LogBook, idOf: OrderIds) => {
  const versions = new Map<string, { readonly cart: ShopperId; readonly lines: string }>();
  for (const [shopper, revisions] of carts)
    revisions.forEach((lines, revision) =>
      versions.set(idOf(shopperId(shopper), revision), { cart: shopperId(shopper), lines: formatContent(lines) }),
    );
  return versions;
};

const formatContent = (lines: readonly { readonly productId: string; readonly quantity: number }[]): string =>
  lines.map(({ productId, quantity }) => `${quantity} ${productId}`).join(', ');

/** An order's id is made from its cart and the cart's version, so checking out the same version twice gives the same order. */
export const oneOrderEach = ({ asked }: Pick<RecordedAnswers, 'asked'>, log: LogBook, idOf: OrderIds): InvariantResult => {
  const broken = [...log.placings].filter(([, times]) => times > 1).map(([id, times]) => `${id} was placed ${times} times`);
  for (const id of log.placings.keys()) if (!asked.has(id)) broken.push(`${id} is placed, which nobody asked for`);
  const versions = listVersions(log, idOf);
  for (const [id, order] of log.orders) {
    if (order.status === 'none') continue;
    const version = versions.get(id);
    if (version?.cart !== order.cart) broken.push(`${id} is of no version of the cart of ${order.cart}`);
    else if (version.lines !== formatContent(order.lines))
      broken.push(`${id} holds ${formatContent(order.lines)}, its cart held ${version.lines}`);
  }
  return { invariant: 'one order for each cart version checked out, with what was in it, placed once', broken };
};

export const numbersAreUnique = ({ orders }: LogBook): InvariantResult => {
  const seen = new Map<string, string>();
  const broken: string[] = [];
  for (const [id, order] of orders) {
    if (!isPlaced(order)) continue;
    const { number } = order.placement;
    if (seen.has(number)) broken.push(`${id} and ${seen.get(number)} have one number`);
    seen.set(number, id);
  }
  return { invariant: 'no two orders share a number', broken };
};

const CONFIRMS = 'order-placed:';

/** `causes` are those of all mails ever put into the outbox. A guest may have been erased before their mail was queued. */
export const oneConfirmationEach = (
  causes: readonly string[],
  { placings }: LogBook,
  { leaving }: Pick<RecordedAnswers, 'leaving'>,
): InvariantResult => {
  const confirmed = causes.filter((cause) => cause.startsWith(CONFIRMS)).map((cause) => cause.slice(CONFIRMS.length));
  const known = new Set(confirmed);
  const broken = [...placings.keys()]
    .filter((id) => !known.has(id) && !leaving.has(id))
    .map((id) => `${id} is placed and has no confirmation`);
  for (const id of known) if (!placings.has(id)) broken.push(`${id} has a confirmation and is not placed`);
  if (known.size !== confirmed.length) broken.push('An order has two confirmations');
  return { invariant: 'one confirmation for each placed order', broken };
};

const ONCE_AN_ORDER = /^(?:order-\w+|payment-\w+):/;

/** The cause of a refund's mail names the refund as well. */
export const mailsAreUnique = (causes: readonly string[]): InvariantResult => {
  const seen = new Set<string>();
  const broken: string[] = [];
  for (const cause of causes.filter((each) => ONCE_AN_ORDER.test(each))) {
    if (seen.has(cause)) broken.push(`${cause} was mailed twice`);
    seen.add(cause);
  }
  return { invariant: 'no mail about an order comes twice', broken };
};

/** Returns a line with the amount for each payment or refund that only one side has. */
const differing = (there: readonly string[], here: readonly string[]): readonly string[] => {
  const [booked, known] = [new Set(here), new Set(there)];
  return [
    ...there.filter((each) => !booked.has(each)).map((each) => `${each} is at the gateway alone`),
    ...here.filter((each) => !known.has(each)).map((each) => `${each} is in the log alone`),
    ...(here.length === booked.size ? [] : ['Something is booked twice']),
  ];
};

export type GatewayLinks = readonly Pick<TestLink, 'reference' | 'payments'>[];

export const moneyIsBooked = (links: GatewayLinks, { payments }: LogBook): InvariantResult => {
  const line = (order: string, payment: string, amount: number): string => `Payment ${payment} of ${amount} paise for ${order}`;
  const there = links.flatMap(({ reference, payments: made }) =>
    made.flatMap(({ id, amount, status }) => (status === 'captured' ? [line(reference, id, amount)] : [])),
  );
  const here = [...payments].flatMap(([order, { captures }]) => captures.map(({ payment, amount }) => line(order, payment, amount)));
  return { invariant: 'all money that the gateway took is booked, once, and no other', broken: differing(there, here) };
};

export const refundsAreSettledOnce = (links: GatewayLinks, { payments, settlings }: LogBook): InvariantResult => {
  const line = (refund: string, payment: string, amount: number): string => `Refund ${refund} of ${amount} paise from ${payment}`;
  // A refund that somebody made at the gateway itself has no reference.
  const there = links.flatMap(({ payments: made }) =>
    made.flatMap(({ refunds }) => refunds.map(({ id, reference, payment, amount }) => line(reference || id, payment, amount))),
  );
  const all = [...payments.values()].flatMap((each) => each.refunds);
  const elsewhere = new Map<string, { readonly id: string; readonly payment: string; readonly amount: number }>();
  for (const { id: part, payment, amount, isElsewhere } of all) {
    const id = part.replace(/-2$/, '');
    if (isElsewhere) elsewhere.set(id, { id, payment, amount: amount + (elsewhere.get(id)?.amount ?? 0) });
  }
  // A refund of the shop is given up for one at the gateway itself that left too little of its payment.
  const goneElsewhere = new Set([...elsewhere.values()].map(({ payment }) => payment));
  const refunds = all.filter(({ isElsewhere, status, payment }) => !isElsewhere && !(status === 'refused' && goneElsewhere.has(payment)));
  const broken = [
    ...refunds.filter(({ status }) => status !== 'settled').map(({ id, status }) => `Refund ${id} is ${status}`),
    ...[...settlings].filter(([, times]) => times !== 1).map(([id, times]) => `Refund ${id} was settled ${times} times`),
    ...differing(
      there,
      [...refunds, ...elsewhere.values()].map(({ id, payment, amount }) => line(id, payment, amount)),
    ),
  ];
  return { invariant: 'every refund is made at the gateway, by the shop or by somebody else, and settled, once', broken };
};

/** Checks that no order is due any more. What somebody refunded at the gateway itself of an order's price is not kept. */
export const paidIsSentOrRefunded = ({ orders, payments }: LogBook): InvariantResult => {
  const broken = [...orders].flatMap(([id, order]) => {
    if (order.status === 'none') return [];
    const payment = payments.get(id) ?? NO_PAYMENT;
    const settled = payment.refunds.filter(({ status }) => status === 'settled');
    const back = sum(settled.map(({ amount }) => amount));
    const gone = sum(settled.flatMap(({ isElsewhere, kind, amount }) => (isElsewhere && kind !== 'excess' ? [amount] : [])));
    const owed = order.placement === null ? ZERO : owedFor(computeBill(order));
    return receivedAmount(payment) - back === Math.max(0, owed - gone)
      ? []
      : [`${id} is ${order.status} and owes ${owed} paise; ${receivedAmount(payment)} came and ${back} went back, ${gone} behind the shop`];
  });
  return { invariant: 'the shop keeps what an order costs: cancelled or paid twice, the rest went back', broken };
};

/** A parcel would go to nobody. Their money is judged with all other money. */
export const erasedAwaitNothing = ({ erased }: Pick<RecordedAnswers, 'erased'>, { orders }: Pick<LogBook, 'orders'>): InvariantResult => ({
  invariant: 'no order of an erased guest is under way',
  broken: erased.flatMap(({ order: id }) => {
    const status = orders.get(id)?.status ?? 'none';
    return status !== 'none' && isUnderWay(status) ? [`${id} is ${status}`] : [];
  }),
});

export const chainsAreIntact = ({ findings }: Audited): InvariantResult => ({
  invariant: 'every chain is intact and every history valid',
  broken: findings.map(({ stream, revision, what, detail }) => `${stream} at revision ${revision}: ${what}, ${detail}`),
});

/** `shown` comes from a read model; `booked` is the sum over the log. */
export const totalsAreEqual = (shown: SalesFigures | undefined, booked: SalesFigures): InvariantResult => {
  const figures = ['totalOrders', 'totalSales', 'lastWeekOrders', 'lastMonthSales'] as const;
  const broken = figures.filter((name) => shown?.[name] !== booked[name]).map((name) => `${name} is ${shown?.[name]}, not ${booked[name]}`);
  return { invariant: 'the figures are what the orders come to', broken };
};

export const modelsMatch = (differences: readonly string[]): InvariantResult => ({
  invariant: 'no event was applied twice or skipped: read models equal a fresh rebuild',
  broken: differences,
});

export const nobodySawAnothers = ({ exposed }: Pick<RecordedAnswers, 'exposed'>): InvariantResult => ({
  invariant: 'no shopper saw or was given the order of another',
  broken: exposed,
});

/** `left` lists the places with personal data of guests who were told that it is erased. */
export const erasedIsNowhere = (left: readonly string[]): InvariantResult => ({
  invariant: 'no personal text of erased guests is left in any table or answer',
  broken: left,
});

export const everythingEnds = (hung: readonly string[]): InvariantResult => ({
  invariant: 'every process ends when it is asked to',
  broken: hung.map((name) => `${name} did not end and was killed`),
});
