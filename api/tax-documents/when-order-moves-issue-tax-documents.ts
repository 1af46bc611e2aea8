import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent, ReturnLine } from '#domain/order/events.ts';
import { isPlaced } from '#domain/order/rules.ts';
import { orderIdFromStream } from '#domain/order/order.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { Shop } from '../shop.ts';
import type { IssueTaxDocuments } from './issue-tax-documents.ts';
import { causedBy, orderAt } from '../reactions/following-order.ts';
import { reactionTo, type Reaction } from '../reactions/reaction.ts';

type Deps = Pick<Shop, 'store' | 'cached' | 'keys'> & { readonly issue: IssueTaxDocuments };

const NAME = 'issue-papers';

/**
 * Writes the invoice of an order that ships, and the credit note of one that came back. One reaction for both: the events of an order are
 * handled in their order, so a return finds its invoice.
 */
export const whenOrderMovesIssueTaxDocuments = ({ issue, ...shop }: Deps): Reaction => {
  const findShippedAt = async (event: Recorded<OrderEvent>) => {
    const { events } = await shop.store.read<OrderEvent>(event.stream);
    const shipped = events.find(({ type, revision }) => type === 'OrderShipped' && revision < event.revision);
    return shipped?.type === 'OrderShipped' ? shipped.data.shippedAt : undefined;
  };
  const credit = async (event: Recorded<OrderEvent>, returnedAt: Instant, returned?: readonly ReturnLine[]): Promise<readonly never[]> => {
    const shippedAt = await findShippedAt(event);
    const input = { id: orderIdFromStream(event.stream), orderRevision: event.revision, returnedAt, ...(returned && { returned }) };
    if (shippedAt) await issue.creditNote({ ...input, shippedAt }, causedBy(event, NAME));
    return [];
  };
  return reactionTo<OrderEvent>({
    name: NAME,
    categories: ['order'],
    on: {
      OrderShipped: async (event) => {
        const order = await orderAt(shop, event);
        const input = { id: orderIdFromStream(event.stream), shippedAt: event.data.shippedAt };
        if (isPlaced(order)) await issue.invoice({ ...input, order }, causedBy(event, NAME));
        return [];
      },
      ReturnReceived: async (event) => {
        const received = (await orderAt(shop, event)).returns.find(({ id }) => id === event.data.return);
        return received ? credit(event, event.data.receivedAt, received.lines) : [];
      },
      // Of an order that came back in parts nothing is left to credit; one that an earlier release took back has no other event.
      OrderReturned: (event) => credit(event, event.data.returnedAt),
    },
  });
};
