import type { OrderView } from '#domain/order/view.ts';
import { paise, rupees } from '#domain/shared/money.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { customerQueries } from '#projections/orders/customer-queries.ts';

import { askOnce, formatActorName, type StaffNames } from '../accounts/actor-name.ts';
import type { Addresses } from '../accounts/addresses/addresses.ts';
import { securityEvents } from '../accounts/security-log.ts';
import { withAnswers, type AnsweredView } from '../contact/answers.ts';
import { contactMessages } from '../contact/contact-messages.ts';
import { visitorSubject } from '../erasure/erase-visitor.ts';
import type { SealedRows } from '../event-store/encryption/sealed-rows.ts';
import { listNotices } from '../restock-notices/notice-rows.ts';
import { customerNotFound, listEmails, nameInSecurityLog, type CustomerParts, type FoundCustomer } from './find-customer.ts';

export type ViewParts = CustomerParts &
  StaffNames & {
    readonly sealed: SealedRows;
    readonly addresses: Pick<Addresses, 'list'>;
    readonly catalogue: Pick<Listing, 'offers'>;
  };

/** Older orders, messages, notices and letters are not shown. */
const MOST = 200;
const NEWEST = { limit: MOST, before: undefined };

const viewOrder = ({ _id, orderNumber, placedAt, status, paymentMethod, payment, total }: OrderView) => ({
  _id,
  orderNumber,
  placedAt,
  status,
  paymentMethod,
  paymentStatus: payment.status,
  total,
});

const sortNewestFirst = <Row>(rows: readonly Row[], timeOf: (row: Row) => string): Row[] =>
  rows.toSorted((one, other) => timeOf(other).localeCompare(timeOf(one)));

const listReturns = (orders: readonly OrderView[]) => {
  const returns = orders.flatMap(({ _id, orderNumber, returns }) =>
    returns.map(({ status, requestedAt }) => ({ orderId: _id, orderNumber, status, requestedAt })),
  );
  return sortNewestFirst(returns, ({ requestedAt }) => requestedAt);
};

const viewMessage = ({ _id, message, createdAt, state, answers }: AnsweredView) => {
  const last = answers.at(-1);
  return { _id, message, at: createdAt, state, ...(last && { answeredBy: last.by }) };
};

/**
 * Returns what staff have done for letters of the customer, the newest first: `by` is the name of the member of the staff. Letters from before
 * `since` are left out: they came from an earlier customer with this address, who was erased.
 */
const listLetters = async ({ db, nameOf }: ViewParts, subjects: readonly string[], since: string) => {
  const names = askOnce({ nameOf });
  const events = await securityEvents(db, { ...NEWEST, kinds: ['exported', 'erasure_asked'], subjects });
  const letters = events.map(async ({ kind, at, detail }) => {
    const { admin, reason }: { admin?: string; reason?: string } = detail;
    if (admin === undefined || reason === undefined || at < since) return [];
    const by = await formatActorName({ kind: 'admin', id: admin }, names);
    return [{ kind: kind === 'exported' ? 'export' : 'erasure', reason, at, by }];
  });
  return (await Promise.all(letters)).flat();
};

const timeOf = ({ createdAt }: { readonly createdAt: string }): string => createdAt;

/** An account may have sent some with an address while it had it. */
const listRequests = async (parts: ViewParts, found: FoundCustomer) => {
  const emails = await listEmails(parts, found);
  const messages = await Promise.all(emails.map((held) => contactMessages(parts, NEWEST, { from: held })));
  const notices = await Promise.all(emails.map((held) => listNotices(parts, held, NEWEST)));
  const nameProduct = (id: Parameters<Listing['offers']['get']>[0]) => {
    const productName = parts.catalogue.offers.get(id)?.product.name;
    return productName === undefined ? {} : { productName };
  };
  return {
    messages: (await withAnswers(parts, sortNewestFirst(messages.flat(), timeOf))).map(viewMessage),
    notices: sortNewestFirst(notices.flat(), timeOf).map(({ productId, createdAt }) => ({
      productId,
      ...nameProduct(productId),
      at: createdAt,
    })),
  };
};

/** Returns a customer as staff see them: who they are, what they bought, and what they asked for. Amounts are in rupees. */
export const viewCustomer = async (parts: ViewParts, found: FoundCustomer) => {
  const { customer, account } = found;
  const queries = customerQueries(parts.read);
  const [sums, orders] = await Promise.all([queries.sum(customer), queries.orders(customer, MOST)]);
  const person = account ?? orders[0]?.shippingAddress;
  // The guest's last order was erased or claimed a moment ago.
  if (!person) throw customerNotFound();
  const since = account?.createdAt.toISOString() ?? sums.since ?? '';
  const visitors = account ? [] : await queries.shoppersOf(customer);
  const subjects = [nameInSecurityLog(parts, found), ...visitors.map(visitorSubject)];
  const { spent, counted } = sums;
  return {
    _id: account?.id ?? sums.first,
    name: person.name,
    email: person.email,
    phone: person.phone,
    guest: account === null,
    since,
    sums: {
      spent: rupees(spent),
      orders: sums.orders,
      average: counted === 0 ? 0 : rupees(paise(Math.round(spent / counted))),
      cameBack: sums.returned,
    },
    orders: orders.map(viewOrder),
    returns: listReturns(orders),
    addresses: account ? await parts.addresses.list(account.id) : [],
    requests: { ...(await listRequests(parts, found)), letters: await listLetters(parts, subjects, since) },
  };
};
