import { z } from 'zod';

import { customerQueries } from '#projections/orders/customer-queries.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Progress } from '#projections/reading/progress.ts';

import { isStaff } from '../accounts/account-errors.ts';
import type { Limits } from '../accounts/limits/limits.ts';
import { addSecurityEvent, LONGEST_LETTER_REASON } from '../accounts/security-log.ts';
import { getUser } from '../accounts/sessions/session.ts';
import { findExportSubject, type ExportParts, type ExportSubject } from '../erasure/export.ts';
import type { Erasing } from '../erasure/open-erasure.ts';
import { sendExport } from '../erasure/routes.ts';
import { getOrigin, type ShopContext } from '../http/context.ts';
import { setPosition } from '../http/freshness.ts';
import { unavailable } from '../http/http-error.ts';
import { parse, prose, required } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { findCustomer, listEmails, nameInSecurityLog, type CustomerParts, type FoundCustomer } from './find-customer.ts';

export type LetterDeps = CustomerParts &
  ExportParts & {
    readonly limits: Pick<Limits, 'spend'>;
    readonly erasing: Pick<Erasing, 'erase' | 'eraseGuest'>;
    readonly progress: Progress;
  };

const ReasonInput = z.object({ reason: required(prose(LONGEST_LETTER_REASON)) });

const FILE = 'ruhani-customer-data.json';
const CATEGORIES = ['order', 'payment'] as const;
/** The calls wait this many ms for the read models to have everything in the log. */
const TIMEOUT_MS = 10_000;

/** An order that these do not have yet would be missing in the file, or would not be erased. */
const waitForOrders = async ({ store, progress }: LetterDeps): Promise<void> => {
  const head = await store.head(CATEGORIES);
  const models = [ordersDesk, myOrders];
  const waits = models.map(({ name }) => progress.waitFor(name, head, TIMEOUT_MS));
  // The wait notices a parked event only at the head, but any of them may be of this customer.
  if ((await Promise.all(waits)).includes('stale') || models.some(({ name }) => progress.hasParked(name)))
    throw unavailable('The list of orders is not up to date. Please try again in a moment.');
};

type Letter = { readonly found: FoundCustomer; readonly who: { readonly by: 'admin'; readonly admin: string; readonly reason: string } };

const readLetter = async (ctx: ShopContext, deps: LetterDeps): Promise<Letter> => {
  const { id: admin } = await getUser(ctx);
  const { reason } = parse(ReasonInput, getBody(ctx));
  await waitForOrders(deps);
  const found = await findCustomer(deps, String(ctx['params'].id));
  if (found.account && found.account.roles.length > 0) throw isStaff();
  return { found, who: { by: 'admin', admin, reason } };
};

const PAGE = 200;

async function* ordersOfGuest({ read }: CustomerParts, customer: string): AsyncGenerator<readonly OrderView[]> {
  for (let after: OrderView | undefined; ;) {
    const page = await customerQueries(read).orders(customer, PAGE, after);
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}

/** A browser's cart, and orders with other addresses, may be another person's. */
const exportOf = async (deps: LetterDeps, found: FoundCustomer): Promise<ExportSubject> =>
  found.account
    ? findExportSubject(deps, found.account)
    : { user: null, emails: await listEmails(deps, found), shoppers: [], orders: () => ordersOfGuest(deps, found.customer) };

/** Handles `POST /admin/customers/:id/export {reason}`. The security log has the reason before anything is sent. */
export const exportCustomer = (deps: LetterDeps) => async (ctx: ShopContext) => {
  const { found, who } = await readLetter(ctx, deps);
  await deps.limits.spend('export by a member of the staff', who.admin, ctx);
  const event = { kind: 'exported', subject: nameInSecurityLog(deps, found), ...getOrigin(ctx), detail: who } as const;
  await addSecurityEvent(deps.db, event, new Date(deps.now()));
  sendExport(ctx, deps, await exportOf(deps, found), FILE);
};

const messages = {
  account: {
    erased: 'The account and its data are erased',
    'under way': 'The account is closed. Its data are being erased, which may take a few minutes',
  },
  guest: {
    erased: 'The personal data of this guest are erased',
    'under way': 'The personal data of this guest are being erased, which may take a few minutes',
  },
};

/**
 * Handles `POST /admin/customers/:id/erase {reason}`. A guest is erased with all visitors who ordered with the address, since their other
 * orders have the same key.
 */
export const eraseCustomer = (deps: LetterDeps) => async (ctx: ShopContext) => {
  const { found, who } = await readLetter(ctx, deps);
  await deps.limits.spend('erase by a member of the staff', who.admin, ctx);
  const request = { from: getOrigin(ctx), who };
  const erase = async () => {
    if (found.account) return deps.erasing.erase(found.account.id, request);
    const [held] = await listEmails(deps, found);
    return deps.erasing.eraseGuest({ visitors: await customerQueries(deps.read).shoppersOf(found.customer), email: held?.email }, request);
  };
  const outcome = await erase();
  // The erasure has cancelled orders that had not shipped: the next read has to wait for these events.
  setPosition(ctx, 'order', await deps.store.head(['order']));
  ctx.status = outcome === 'erased' ? 200 : 202;
  ctx.body = { message: messages[found.account ? 'account' : 'guest'][outcome] };
};
