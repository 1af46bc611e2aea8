import type { OrderEvent } from '#domain/order/events.ts';

import { claimOrder } from '../orders/claim-at-sign-in.ts';
import { orderIn } from '../orders/stream.ts';
import type { Visitors } from '../orders/visitors.ts';
import type { Shop } from '../open-shop.ts';
import { causedBy } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

const NAME = 'claim-orders';

type Deps = Pick<Shop, 'execute' | 'now' | 'store'> & { readonly visitors: Pick<Visitors, 'userOf'> };

/**
 * A visitor's order becomes the user's at sign-in, which notes who the visitor is and claims the orders that there are. One that was under
 * way at that moment, in another tab, turns up when the visitor is gone already, and is claimed here.
 */
export const whenOrderCreatedClaimIt = ({ visitors, ...shop }: Deps): Reaction =>
  reactionTo<OrderEvent>({
    name: NAME,
    categories: ['order'],
    from: 'beginning',
    on: {
      OrderCreated: async (event) => {
        const from = event.data.shopper;
        const by = await visitors.userOf(from);
        if (by !== undefined) await claimOrder(shop, orderIn(event.stream), { from, by }, causedBy(event, NAME));
        return [];
      },
    },
  });
