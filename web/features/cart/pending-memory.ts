import { writeSession, readSession } from '../../lib/session-storage.ts';
import type { Operation } from './optimistic-cart.ts';

/** Where operations wait that the server has not confirmed, while the page is away. */
export type PendingMemory = { readonly recall: () => readonly Operation[]; readonly keep: (pending: readonly Operation[]) => void };

const NAME = 'cart-pending';

/**
 * This window's alone, and gone with it. What was told already and not answered is kept too: it carries its own key, under which the
 * server does it once however often it is told.
 */
export const sessionMemory: PendingMemory = {
  recall: () => {
    const kept = readSession(NAME);
    return Array.isArray(kept) ? kept : [];
  },
  keep: (pending) => writeSession(NAME, pending.length > 0 ? pending : undefined),
};
