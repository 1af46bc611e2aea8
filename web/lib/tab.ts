import { eventChannel, type EventChannel } from 'redux-saga';
import { onUnauthorised } from './http/unauthorised.ts';

/** Emits when the tab is focused again or the network is back, because its data may be outdated. */
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

/** The messages about the session that this tab exchanges with the shop's other tabs. */
export type Tab = {
  /** Emits when another user may be signed in: after a 401, or when another tab says so. */
  readonly sessionDoubted: () => EventChannel<true>;
  readonly notifyOtherTabs: () => void;
};

/** Returns undefined in a browser that blocks storage, where other tabs cannot be reached. */
const openChannel = (): BroadcastChannel | undefined => {
  try {
    return new BroadcastChannel('session');
  } catch {
    return undefined;
  }
};

export const browserTab = (): Tab => {
  const others = openChannel();
  return {
    sessionDoubted: () =>
      eventChannel((emit) => {
        const doubt = (): void => emit(true);
        others?.addEventListener('message', doubt);
        const stops = [onRefocus(doubt), onUnauthorised(doubt), () => others?.removeEventListener('message', doubt)];
        return () => stops.forEach((stop) => stop());
      }),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    notifyOtherTabs: () => others?.postMessage('changed'),
  };
};
