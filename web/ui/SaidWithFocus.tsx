import { useEffect, useRef, type ReactNode } from 'react';
import { Alert } from './Alert.tsx';

/** Takes the place of a form that is done with, and the focus, which would be lost with its button. */
export const SaidWithFocus = ({ children }: { readonly children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="mt-7 outline-none">
      <Alert kind="success">{children}</Alert>
    </div>
  );
};
