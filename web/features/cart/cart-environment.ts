import type { EventChannel } from 'redux-saga';
import type { Effect } from 'redux-saga/effects';
import { firstPageReady } from '../../lib/first-page-ready.ts';
import type { Identity } from '../../lib/session-change.ts';
import { hasSessionCookie, readSession, writeSession } from '../../lib/session-storage.ts';
import { refocused } from '../../lib/tab.ts';
import type { Operation } from './optimistic-cart.ts';

/** Unconfirmed operations and the user they belong to. */
export type KeptPending = { readonly owner: Identity; readonly pending: readonly Operation[] };

type PendingStorage = { readonly load: () => KeptPending | null; readonly save: (kept: KeptPending) => void };

const NAME = 'cart-pending';

/** Stored per tab, in sessionStorage. Operations without an answer are included: their idempotency key makes repetition safe. */
const pendingInSession: PendingStorage = {
  load: () => {
    const kept = readSession(NAME);
    // An earlier release did not store the owner.
    return typeof kept === 'object' && kept !== null && 'owner' in kept && 'pending' in kept ? (kept as KeptPending) : null;
  },
  save: (kept) => writeSession(NAME, kept.pending.length > 0 ? kept : undefined),
};

export type CartEnvironment = {
  /**
   * Resolves when the first page is ready and its pictures have loaded, so that the cart's badge does not delay them. A page that shows the
   * cart has requested it before that.
   */
  readonly pageReady: () => Promise<void>;
  /** Emits when the window is focused again or the network is back, because the cart may have changed elsewhere. */
  readonly refocused: () => EventChannel<true>;
  /** Returns whether the server may have a cart for this browser. A first-time visitor has none, nor has a browser that blocks cookies. */
  readonly mayHaveCart: () => boolean;
  /** Called after a missing answer. Resolves with false if the browser is online, else with true once the network is back. */
  readonly untilOnline: () => Promise<boolean>;
  readonly storage: PendingStorage;
  /** Waits until it is known who is signed in, and returns the user. */
  readonly identity: () => Generator<Effect, Identity, never>;
};

/** The browser may notice only this many ms after a missing answer that it is offline. */
const KNOWS_AFTER = 500;

const untilOnline = async (): Promise<boolean> => {
  if (navigator.onLine) await new Promise((resolve) => setTimeout(resolve, KNOWS_AFTER));
  if (navigator.onLine) return false;
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
  return true;
};

/** Everything except `identity`, which only the auth feature knows. */
export const browserEnvironment: Omit<CartEnvironment, 'identity'> = {
  storage: pendingInSession,
  mayHaveCart: hasSessionCookie,
  untilOnline,
  pageReady: async () => {
    await firstPageReady;
    if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  },
  refocused,
};
