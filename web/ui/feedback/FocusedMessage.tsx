import { type ComponentProps, useEffect, useRef } from 'react';
import { Alert } from './Alert.tsx';
import { cx } from '../cx.ts';

type FocusedMessageProps = Pick<ComponentProps<typeof Alert>, 'kind' | 'children'> & { readonly className?: string };

/** Takes the focus, which would otherwise be lost with the button of a finished form or of a refused deed. */
export const FocusedMessage = ({ kind = 'success', children, className = 'mt-7' }: FocusedMessageProps) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={cx('outline-none', className)}>
      <Alert kind={kind}>{children}</Alert>
    </div>
  );
};
