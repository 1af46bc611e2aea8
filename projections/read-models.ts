import { catalogue } from './catalogue/projector.ts';
import { papers } from './invoices/projector.ts';
import { myOrders } from './orders/my-orders.ts';
import { ordersDesk } from './orders/orders-desk.ts';
import { payments } from './orders/payment-statuses.ts';
import type { Projector } from './engine/define-projector.ts';
import { stats } from './stats/projector.ts';

/** All read models, in the order in which they are started. */
export const readModels: readonly Projector[] = [catalogue, myOrders, ordersDesk, payments, papers, stats];
