import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { Toast } from '../../ui/overlay/Toast.tsx';

/** A toast by default; with `stays`, it is shown until it is closed. */
export type Notice = { readonly kind: 'success' | 'failure'; readonly message: string; readonly stays?: boolean };

const NoticesContext = createContext<(notice: Notice) => void>(() => {});

/** Shows a notice in the middle of the screen. */
export const useNotify = () => useContext(NoticesContext);

/** Shows the latest notice; all notices also go to a log for screen readers. */
export const Notices = ({ children }: { readonly children: ReactNode }) => {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const [open, setOpen] = useState(false);
  const notify = useCallback((notice: Notice) => {
    setNotices((before) => [...before, notice]);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  const latest = notices.at(-1);
  return (
    <NoticesContext value={notify}>
      {children}
      <div role="log" aria-label="Notices" className="sr-only">
        {notices.map(({ message }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the log only grows
          <p key={index}>{message}</p>
        ))}
      </div>
      {open && latest && <Toast key={notices.length} {...latest} onClose={close} />}
    </NoticesContext>
  );
};
