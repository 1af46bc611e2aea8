import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Niche } from '../Niche.tsx';
import { SlowAnswer } from '../feedback/SlowAnswer.tsx';
import { Status } from '../feedback/Status.tsx';

type BusyOverlayProps = {
  readonly children: string;
  /** A blocking overlay makes the page behind it inert and returns the focus afterwards. */
  readonly blocks?: boolean;
  readonly onRetry?: (() => void) | undefined;
};

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
