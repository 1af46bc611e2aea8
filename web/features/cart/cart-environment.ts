import { eventChannel, type EventChannel } from 'redux-saga';
import { firstPageReady } from '../../lib/first-page-ready.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import type { Operation } from './optimistic-cart.ts';

/** Where operations wait that the server has not confirmed, while the page is away. */
type PendingStorage = { readonly recall: () => readonly Operation[]; readonly keep: (pending: readonly Operation[]) => void };

const NAME = 'cart-pending';

/**
 * This window's alone, and gone with it. What was told already and not answered is kept too: it carries its own key, under which the
 * server does it once however often it is told.
 */
const pendingInSession: PendingStorage = {
  recall: () => {
    const kept = readSession(NAME);
    return Array.isArray(kept) ? kept : [];
  },
  keep: (pending) => writeSession(NAME, pending.length > 0 ? pending : undefined),
};

/** What the cart has to know of the window that it is shown in. */
export type CartEnvironment = {
  /**
   * Settles when the first page stands and its pictures are there: the cart's badge takes no line from them, and a page that shows the cart
   * has asked for it by then.
   */
  readonly pageIsThere: () => Promise<void>;
  /** The shopper looks at the shop again, or its network is back: in the meantime the cart may have changed in another window. */
  readonly returns: () => EventChannel<true>;
  /** Whether the shop may have kept a cart for this browser: of who was never here it need not be asked. */
  readonly mayHaveCart: () => boolean;
  /** Settles when the network is back; undefined when the browser does not know of it being away. */
  readonly networkBack: () => Promise<void> | undefined;
  readonly memory: PendingStorage;
};

/** Readable cookies that the server leaves beside the session, which itself no script can see. */
export const markCartAsKept = (cookies: string): boolean => /(?:^|;\s*)(?:visitor|signed_in)=1(?:;|$)/.test(cookies);

export const browserEnvironment: CartEnvironment = {
  memory: pendingInSession,
  mayHaveCart: () => markCartAsKept(document.cookie),
  networkBack: () => (navigator.onLine ? undefined : new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))),
  pageIsThere: async () => {
    await firstPageReady;
    if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  },
  returns: () =>
    eventChannel((emit) => {
      const onSeen = (): void => {
        if (document.visibilityState === 'visible') emit(true);
      };
      const onOnline = (): void => emit(true);
      document.addEventListener('visibilitychange', onSeen);
      addEventListener('online', onOnline);
      return () => {
        document.removeEventListener('visibilitychange', onSeen);
        removeEventListener('online', onOnline);
      };
    }),
};
