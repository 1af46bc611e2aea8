import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderIdFromStream } from '#domain/order/order.ts';

import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import type { Shop } from '../shop.ts';
import { reactionTo, type Reaction } from './reaction.ts';

type Deps = Pick<Shop, 'load'> & { readonly mails: Pick<UnsentOrderMails, 'sendAgain'> };

/** Completes the staff's correction of an address if their process died, or if a mail was queued at the same time. */
export const whenEmailCorrectedSendAgain = ({ load, mails }: Deps): Reaction =>
  reactionTo<OrderEvent>({
    name: 'corrected-mails',
    categories: ['order'],
    on: {
      OrderEmailCorrected: async ({ stream }) => {
        const { state } = await load(order, stream);
        // After an erasure there are no mails.
        if (state.status !== 'none') await mails.sendAgain(orderIdFromStream(stream), state.shippingAddress.email);
        return [];
      },
    },
  });
