import { catalogue } from './catalogue/projector.ts';
import { myOrders } from './my-orders/projector.ts';
import { ordersDesk } from './orders-desk/projector.ts';
import type { Projector } from './projector.ts';
import { stats } from './stats/projector.ts';

/** Every read model of the shop, in the order in which they are started. */
export const readModels: readonly Projector[] = [catalogue, myOrders, ordersDesk, stats];
