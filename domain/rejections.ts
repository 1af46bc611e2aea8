import type { CartRejection } from './cart/cart.ts';
import type { OrderRejection } from './order/order.ts';
import type { ProductRejection } from './product/product.ts';

/** All rejections of the domain. A new code does not compile until the API has a status and a sentence for it. */
export type Rejection = ProductRejection | CartRejection | OrderRejection;
