import type { OrderEvent } from '#domain/order/events.ts';
import { orderIdFromStream } from '#domain/order/order.ts';

import { claimOrder } from '../orders/claim-at-sign-in.ts';
import type { Visitors } from '../orders/visitor-users.ts';
import type { Shop } from '../shop.ts';
import { causedBy } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

const NAME = 'claim-orders';

type Deps = Pick<Shop, 'execute' | 'now' | 'store'> & { readonly visitors: Pick<Visitors, 'userOf'> };

/**
 * At sign-in the visitor's existing orders become the user's, and the visitor is recorded. An order being created at that moment, in
 * another tab, is appended later and claimed here.
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
        if (by !== undefined) await claimOrder(shop, orderIdFromStream(event.stream), { from, by }, causedBy(event, NAME));
        return [];
      },
    },
  });
