import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { Toast } from '../../ui/overlay/Toast.tsx';

/** A toast by default; with `stays`, it is shown until it is closed. */
export type Notice = { readonly kind: 'success' | 'failure'; readonly message: string; readonly stays?: boolean };

const Telling = createContext<(notice: Notice) => void>(() => {});

/** Shows a notice in the middle of the screen. */
export const useNotify = () => useContext(Telling);

/** Shows the latest notice; all notices also go to a log for screen readers. */
export const Notices = ({ children }: { readonly children: ReactNode }) => {
  const [told, setTold] = useState<readonly Notice[]>([]);
  const [open, setOpen] = useState(false);
  const tell = useCallback((notice: Notice) => {
    setTold((before) => [...before, notice]);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  const latest = told.at(-1);
  return (
    <Telling value={tell}>
      {children}
      <div role="log" aria-label="Notices" className="sr-only">
        {told.map(({ message }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the log only grows
          <p key={index}>{message}</p>
        ))}
      </div>
      {open && latest && <Toast key={told.length} {...latest} onClose={close} />}
    </Telling>
  );
};
