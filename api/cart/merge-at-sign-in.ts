import { cart } from '#domain/cart/cart.ts';
import { shopperId } from '#domain/shared/ids.ts';

import { commandMetadata } from '../accounts/sessions/command-metadata.ts';
import { leavePosition } from '../http/freshness.ts';
import type { OnRecognised } from '../accounts/sessions/session.ts';
import type { Shop } from '../composition/types/shop.ts';
import { cartStream } from './cart-stream.ts';

/**
 * Merges the visitor's cart into the user's: the visitor's cart is closed, then its lines are merged. If this is interrupted the sign-in
 * has failed, and the next one completes it: a cart that was closed before goes to the user it was closed for.
 */
export const mergeAtSignIn =
  ({ execute, now }: Pick<Shop, 'execute' | 'now'>): OnRecognised =>
  async (visitorId, userId, ctx) => {
    const from = shopperId(visitorId);
    const metadata = () => commandMetadata(ctx, { kind: 'user', id: userId });
    const closing = { type: 'CloseCart', into: shopperId(userId), now: now() } as const;
    const { state: left } = await execute(cart, cartStream(from), closing, await metadata());
    if (left.closed === null) return;

    const { into, at: closedAt } = left.closed;
    const merging = { type: 'MergeCarts', from, into, lines: left.lines, closedAt, now: now() } as const;
    const { position } = await execute(cart, cartStream(into), merging, await metadata());
    if (position !== undefined) leavePosition(ctx, 'cart', position);
  };
