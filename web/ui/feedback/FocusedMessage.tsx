import { useEffect, useRef, type ReactNode } from 'react';
import { Alert } from './Alert.tsx';
import { cx } from '../cx.ts';

type FocusedMessageProps = { readonly children: ReactNode; readonly className?: string };

/** Replaces a finished form and takes the focus, which would otherwise be lost with the form's button. */
export const FocusedMessage = ({ children, className = 'mt-7' }: FocusedMessageProps) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={cx('outline-none', className)}>
      <Alert kind="success">{children}</Alert>
    </div>
  );
};
