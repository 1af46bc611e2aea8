import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Niche } from '../Niche.tsx';
import { SlowAnswer } from '../feedback/SlowAnswer.tsx';
import { Status } from '../feedback/Status.tsx';

type BusyOverlayProps = {
  readonly children: string;
  /** The page behind it must not be used: it is inert, and gets the focus back afterwards. */
  readonly blocks?: boolean;
  /** Offered when the answer does not come. */
  readonly onRetry?: (() => void) | undefined;
};

/** Dims the page while something must not be interrupted, and says what. */
export const BusyOverlay = ({ children, blocks = false, onRetry }: BusyOverlayProps) => {
  useEffect(() => {
    const root = document.getElementById('root');
    if (!blocks || !root) return undefined;
    const focused = document.activeElement;
    root.inert = true;
    return () => {
      root.inert = false;
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    };
  }, [blocks]);
  return createPortal(
    <div className="fixed inset-0 z-50 flex animate-fade flex-col items-center justify-center gap-5 bg-ivory/88">
      <Niche className="h-24 text-gold" height={88} drop="falling" strokeWidth={0.9} />
      <Status className="display text-h3">{children}</Status>
      {onRetry && <SlowAnswer onRetry={onRetry} className="mx-5 max-w-md" />}
    </div>,
    document.body,
  );
};
