import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { productId } from '#domain/shared/ids.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { streamId } from '#projections/engine/define-projector.ts';

import type { RestockNotices } from '../restock-notices/restock-notices.ts';
import { reactionTo, type Reaction } from './reaction.ts';

/**
 * Mails everybody who waits for a product that it is in stock again. Its mails are queued in the transaction that deletes their requests,
 * so that an event that is delivered twice sends no mail twice.
 */
export const whenProductReturnsTellWaiting = ({ notices }: { readonly notices: Pick<RestockNotices, 'notify'> }): Reaction => {
  const notify = async ({ stream }: Recorded): Promise<readonly never[]> => {
    await notices.notify(productId(streamId(stream)));
    return [];
  };
  return reactionTo<ProductEvent | StockEvent>({
    name: 'restock-notices',
    categories: ['product', 'stock'],
    // Handling an event again sends no mail, and events before its first start are not missed.
    from: 'beginning',
    on: {
      ProductRestocked: notify,
      ProductPriceChanged: notify,
      ProductRemoved: notify,
      StockCounted: notify,
      StockReceived: notify,
      StockRestocked: notify,
      StockReleased: notify,
      StockCountingEnded: notify,
    },
  });
};
