import type { EventChannel } from 'redux-saga';
import type { Effect } from 'redux-saga/effects';
import { firstPageReady } from '../../lib/first-page-ready.ts';
import type { Identity } from '../../lib/session-change.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import { refocused } from '../../lib/tab.ts';
import type { Operation } from './optimistic-cart.ts';

/** Unconfirmed operations, and whose they are. */
export type KeptPending = { readonly owner: Identity; readonly pending: readonly Operation[] };

/** Keeps them over a reload. */
type PendingStorage = { readonly load: () => KeptPending | null; readonly save: (kept: KeptPending) => void };

const NAME = 'cart-pending';

/** In sessionStorage, so per tab. An operation that was sent without an answer is kept too: its idempotency key makes a repetition safe. */
const pendingInSession: PendingStorage = {
  load: () => {
    const kept = readSession(NAME);
    // An earlier release did not write whose they are.
    return typeof kept === 'object' && kept !== null && 'owner' in kept && 'pending' in kept ? (kept as KeptPending) : null;
  },
  save: (kept) => writeSession(NAME, kept.pending.length > 0 ? kept : undefined),
};

/** What the cart saga needs of the browser window; tests pass their own. */
export type CartEnvironment = {
  /**
   * Resolves when the first page is ready and its pictures have loaded: the cart's badge must not compete with them. A page that shows the
   * cart has asked for it by then.
   */
  readonly pageReady: () => Promise<void>;
  /** Emits when the window is focused again or the network is back: the cart may have changed elsewhere. */
  readonly refocused: () => EventChannel<true>;
  /** Whether the server may have a cart for this browser. A first-time visitor has none. */
  readonly mayHaveCart: () => boolean;
  /** After an answer is missing. False: the browser is online. True: it was not, and now the network is back. */
  readonly untilOnline: () => Promise<boolean>;
  readonly storage: PendingStorage;
  /** Waits until it is known who shops here. */
  readonly identity: () => Generator<Effect, Identity, never>;
};

/** The session cookie is HttpOnly, so the server sets readable ones beside it. */
export const markCartAsKept = (cookies: string): boolean => /(?:^|;\s*)(?:visitor|signed_in)=1(?:;|$)/.test(cookies);

/** In ms: an answer may be missing before the browser says that it is offline. */
const KNOWS_AFTER = 500;

const untilOnline = async (): Promise<boolean> => {
  if (navigator.onLine) await new Promise((resolve) => setTimeout(resolve, KNOWS_AFTER));
  if (navigator.onLine) return false;
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
  return true;
};

/** All but who shops here, which accounts know. */
export const browserEnvironment: Omit<CartEnvironment, 'identity'> = {
  storage: pendingInSession,
  mayHaveCart: () => markCartAsKept(document.cookie),
  untilOnline,
  pageReady: async () => {
    await firstPageReady;
    if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  },
  refocused,
};
