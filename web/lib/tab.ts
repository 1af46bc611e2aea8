import { eventChannel, type EventChannel } from 'redux-saga';
import { onUnauthorised } from './http/unauthorised.ts';

/** Emits when the tab is looked at again, or the network is back: what it shows may be outdated. */
export const refocused = (): EventChannel<true> => eventChannel((emit) => onRefocus(() => emit(true)));

const onRefocus = (hear: () => void): (() => void) => {
  const onSeen = (): void => {
    if (document.visibilityState === 'visible') hear();
  };
  document.addEventListener('visibilitychange', onSeen);
  addEventListener('online', hear);
  return () => {
    document.removeEventListener('visibilitychange', onSeen);
    removeEventListener('online', hear);
  };
};

/** What a tab hears and tells of the session, which it shares with the shop's other tabs. */
export type Tab = {
  /** Emits when somebody else may be signed in: also after a 401, and when another tab tells so. */
  readonly sessionDoubted: () => EventChannel<true>;
  /** Tells the other tabs that somebody signed in or out. */
  readonly notifyOtherTabs: () => void;
};

export const browserTab = (): Tab => {
  const others = new BroadcastChannel('session');
  return {
    sessionDoubted: () =>
      eventChannel((emit) => {
        const doubt = (): void => emit(true);
        others.addEventListener('message', doubt);
        const stops = [onRefocus(doubt), onUnauthorised(doubt), () => others.removeEventListener('message', doubt)];
        return () => stops.forEach((stop) => stop());
      }),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    notifyOtherTabs: () => others.postMessage('changed'),
  };
};
