import type { Router } from '@koa/router';

import { isPlaced } from '#domain/order/rules.ts';
import { orderStream } from '#domain/order/order.ts';
import type { OrderNumber } from '#domain/shared/ids.ts';

import type { ShopContext, State } from '../http/context.ts';
import { notFound, unavailable } from '../http/http-error.ts';
import { createRouter } from '../http/router.ts';
import type { Attachment, MailedReceipt } from '../mail/mail.ts';
import type { Receipts } from '../transparency/receipts.ts';
import { reachOrder, type AccessDeps } from './order-access.ts';

const receiptFile = (number: OrderNumber): string => `${number}.tlog-proof`;

/**
 * Makes the receipt that the mail about a placed order has attached, as of the order's newest event. A mail waits for it if it may, but not
 * in a shop whose log nobody has ever signed.
 */
export const receiptAttachment =
  ({ proveStream, isSigned }: Pick<Receipts, 'proveStream' | 'isSigned'>) =>
  async ({ order, number }: MailedReceipt, mayWait: boolean): Promise<Attachment | 'not yet' | undefined> => {
    const content = await proveStream(orderStream(order));
    // Mail programs would change the line ends of a text.
    if (content !== undefined) return { filename: receiptFile(number), contentType: 'application/octet-stream', content };
    return mayWait && (await isSigned()) ? 'not yet' : undefined;
  };

type ReceiptRoutesDeps = AccessDeps & { readonly receipts: Pick<Receipts, 'proveStream'> };

const sendReceipt = async (ctx: ShopContext, { receipts, ...deps }: ReceiptRoutesDeps): Promise<void> => {
  const { id, state } = await reachOrder(ctx, deps);
  if (!isPlaced(state)) throw notFound('No receipt yet');
  const receipt = await receipts.proveStream(orderStream(id));
  if (receipt === undefined) throw unavailable('The receipt is ready in a moment: please try again', 1);
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${receiptFile(state.placement.number)}"`);
  ctx.set('Cache-Control', 'private, no-store');
  ctx.body = receipt;
};

/**
 * Serves `GET /order/:id/receipt` to all who may read the order: a proof that its events are in the signed log. 404 for a draft, and 503
 * for the second or two until the order's newest event is signed.
 */
export const receiptRoutes = (deps: ReceiptRoutesDeps): Router<State> =>
  createRouter().get('/order/:id/receipt', (ctx) => sendReceipt(ctx, deps));
