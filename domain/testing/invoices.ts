import type { Seller } from '../invoice/events.ts';
import type { IssueInvoice } from '../invoice/invoice.ts';
import type { Checkout } from '../order/events.ts';
import type { Placement } from '../order/rules.ts';
import { orderId } from '../shared/ids.ts';
import { evening } from './carts.ts';
import { created, orderAfter, placed } from './orders.ts';

export const seller: Seller = {
  name: 'RUHANI',
  address: 'Lane 1, Kannauj 209725, India',
  state: 'Uttar Pradesh',
  gstin: '09AAACR1234A1Z5',
};
export const invoicedOrder = orderId('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4');

/** Of an order with this checkout, that shipped in the evening of 14 November 2026. */
export const issueInvoice = (checkout: Partial<Checkout> = {}, changes: Partial<IssueInvoice> = {}): IssueInvoice => {
  const order = orderAfter(created(checkout), placed());
  // It was placed just now.
  const placement = order.placement as Placement;
  return {
    type: 'IssueInvoice',
    id: invoicedOrder,
    order: { ...order, placement },
    seller,
    isErased: false,
    shippedAt: evening,
    now: evening,
    ...changes,
  };
};
