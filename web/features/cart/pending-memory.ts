import type { Operation } from './optimistic-cart.ts';

/** Where operations wait that the server has not confirmed, while the page is away. */
export type PendingMemory = { readonly recall: () => readonly Operation[]; readonly keep: (pending: readonly Operation[]) => void };

const KEY = 'cart-pending';

/**
 * This window's alone, and gone with it. What was told already and not answered is kept too: it carries its own key, under which the
 * server does it once however often it is told.
 */
export const sessionMemory: PendingMemory = {
  recall: () => {
    try {
      const kept: readonly Operation[] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
      return kept;
    } catch {
      // Storage that may not be read, or was written by somebody else: nothing is remembered.
      return [];
    }
  },
  keep: (pending) => {
    try {
      if (pending.length > 0) sessionStorage.setItem(KEY, JSON.stringify(pending));
      else sessionStorage.removeItem(KEY);
    } catch {
      // The cart works without; only a reload would lose what is pending.
    }
  },
};
