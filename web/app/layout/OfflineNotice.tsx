import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

const subscribe = (onChange: () => void): (() => void) => {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
};

/** While the browser has no network: says so in a place of its own, which is always there, so that it is also heard. */
export const OfflineNotice = () => {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="sticky bottom-0 z-20">
      {!online && (
        <p className="on-dark page-x flex min-h-11 items-center justify-center gap-2.5 bg-umber py-2 text-[0.875rem] text-mist sm:text-center">
          <WifiOff className="size-4" strokeWidth={1.5} />
          You are offline. What you see may be old; the shop goes on as soon as you are back.
        </p>
      )}
    </div>
  );
};
