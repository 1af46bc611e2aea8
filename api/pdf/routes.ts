import type { Router } from '@koa/router';
import { z } from 'zod';

import type { Seller } from '#domain/invoice/events.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { isPlaced, type PlacedOrder } from '#domain/order/rules.ts';
import { isOrderId, type OrderId } from '#domain/shared/ids.ts';

import type { Shop } from '../shop.ts';
import type { ShopContext, State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { createRouter } from '../http/router.ts';
import { parseOrderId, orderNotFound } from '../orders/order-commands.ts';
import { writePdf } from './pdf-threads.ts';

export const sendPdf = (ctx: ShopContext, name: string, pdf: Buffer): void => {
  ctx.type = 'application/pdf';
  ctx.set('Content-Disposition', `inline; filename="${name}.pdf"`);
  ctx.set('Cache-Control', 'private, no-store');
  ctx.body = pdf;
};

const MOST = 200;

const Selection = z.object({
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
    .refine((ids) => ids.length > 0 && ids.length <= MOST, `From 1 to ${MOST} orders, separated by commas`),
});

type PapersDeps = Pick<Shop, 'load'> & { readonly seller: Seller };

const loadPlaced = async ({ load }: PapersDeps, id: OrderId): Promise<PlacedOrder> => {
  const { state } = await load(order, orderStream(id));
  if (!isPlaced(state)) throw orderNotFound();
  return state;
};

/** Loads one order after the other, so that a long selection leaves the database to others. */
const loadSelected = async (ctx: ShopContext, deps: PapersDeps): Promise<readonly PlacedOrder[]> => {
  const orders: PlacedOrder[] = [];
  for (const id of parse(Selection, ctx.query).ids) {
    if (!isOrderId(id)) throw orderNotFound();
    orders.push(await loadPlaced(deps, id));
  }
  return orders;
};

/** Serves packing slips and labels of placed orders, of one or of a selection, in whose order they are; others get a 404. */
export const taxDocumentRoutes = (deps: PapersDeps): Router<State> => {
  const { seller } = deps;
  return createRouter()
    .get('/admin/order/:id/packing-slip.pdf', async (ctx) => {
      const placed = await loadPlaced(deps, parseOrderId(ctx));
      sendPdf(ctx, `${placed.placement.number}-packing-slip`, await writePdf('packingSlip', placed));
    })
    .get('/admin/order/:id/label.pdf', async (ctx) => {
      const placed = await loadPlaced(deps, parseOrderId(ctx));
      sendPdf(ctx, `${placed.placement.number}-label`, await writePdf('labels', { orders: [placed], seller }));
    })
    .get('/admin/packing-slips.pdf', async (ctx) => {
      sendPdf(ctx, 'packing-slips', await writePdf('packingSlips', await loadSelected(ctx, deps)));
    })
    .get('/admin/labels.pdf', async (ctx) => {
      sendPdf(ctx, 'labels', await writePdf('labels', { orders: await loadSelected(ctx, deps), seller }));
    })
    .get('/admin/slips-and-labels.pdf', async (ctx) => {
      sendPdf(ctx, 'slips-and-labels', await writePdf('slipsAndLabels', { orders: await loadSelected(ctx, deps), seller }));
    });
};
