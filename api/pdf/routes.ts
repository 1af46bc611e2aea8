import type { Router } from '@koa/router';

import { order, orderStream } from '#domain/order/order.ts';
import { isPlaced } from '#domain/order/rules.ts';

import { adminOnly } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { ShopContext, State } from '../http/context.ts';
import { createRouter } from '../http/router.ts';
import { parseOrderId, orderNotFound } from '../orders/order-commands.ts';
import { writePdf } from './pdf-threads.ts';

export const sendPdf = (ctx: ShopContext, name: string, pdf: Buffer): void => {
  ctx.type = 'application/pdf';
  ctx.set('Content-Disposition', `inline; filename="${name}.pdf"`);
  ctx.set('Cache-Control', 'private, no-store');
  ctx.body = pdf;
};

/** Serves `GET /admin/order/:id/packing-slip.pdf` for placed orders; others get a 404. */
export const taxDocumentRoutes = ({ load }: Pick<Shop, 'load'>): Router<State> =>
  createRouter().get('/admin/order/:id/packing-slip.pdf', adminOnly, async (ctx) => {
    const { state } = await load(order, orderStream(parseOrderId(ctx)));
    if (!isPlaced(state)) throw orderNotFound();
    sendPdf(ctx, `${state.placement.number}-packing-slip`, await writePdf('packingSlip', state));
  });
