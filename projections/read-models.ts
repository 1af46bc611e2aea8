import { catalogue } from './catalogue/projector.ts';
import { taxDocuments } from './invoices/projector.ts';
import { messages } from './messages/message-answers.ts';
import { myOrders } from './orders/my-orders.ts';
import { ordersDesk } from './orders/orders-desk.ts';
import { payments } from './orders/payment-statuses.ts';
import type { Projector } from './engine/define-projector.ts';
import { stats } from './stats/projector.ts';

/** The read models are started in this order. */
export const readModels: readonly Projector[] = [catalogue, myOrders, ordersDesk, payments, taxDocuments, stats, messages];
