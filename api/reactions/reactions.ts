import type { Shop } from '../shop.ts';
import type { Visitors } from '../orders/visitor-users.ts';
import type { Reaction } from './reaction.ts';
import { whenOrderEndsMoveStock } from './when-order-ends-move-stock.ts';
import { whenOrderCreatedClaimIt } from './when-order-created-claim-it.ts';
import { whenOrderMovesTellShopper, whenOrderProgressesTellShopper, type OrderMailDeps } from './when-order-moves-tell-shopper.ts';
import { whenOverpaidRefundExcess } from './when-overpaid-refund-excess.ts';
import { whenPaymentMovesTellShopper } from './when-payment-moves-tell-shopper.ts';
import { whenOrderPlacedEmptyCart } from './when-order-placed-empty-cart.ts';

type Deps = Pick<Shop, 'store' | 'execute' | 'load' | 'cached' | 'keys' | 'now'> & {
  readonly visitors: Pick<Visitors, 'userOf'>;
} & Pick<OrderMailDeps, 'publicUrl'>;

export const reactions = (deps: Deps): readonly Reaction[] => [
  whenOrderPlacedEmptyCart(deps),
  whenOrderEndsMoveStock(deps),
  whenOrderMovesTellShopper(deps),
  whenOrderProgressesTellShopper(deps),
  whenOrderCreatedClaimIt(deps),
  whenOverpaidRefundExcess(deps),
  whenPaymentMovesTellShopper(deps),
];
