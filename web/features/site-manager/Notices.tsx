import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { Toast } from '../../ui/overlay/Toast.tsx';

/** A notice closes by itself unless it has `stays`. */
export type Notice = { readonly kind: 'success' | 'failure'; readonly message: string; readonly stays?: boolean };

const NoticesContext = createContext<(notice: Notice) => void>(() => {});

export const useNotify = () => useContext(NoticesContext);

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
