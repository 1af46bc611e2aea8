import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import { useMountedRegion } from './Status.tsx';

const looks = {
  error: { ground: 'bg-sindoor-wash text-sindoor', Icon: CircleAlert },
  success: { ground: 'bg-khus-wash text-khus-deep', Icon: CircleCheck },
  warning: { ground: 'bg-haldi/60 text-haldi-deep', Icon: TriangleAlert },
};

type AlertProps = {
  readonly id?: string;
  readonly kind?: keyof typeof looks;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string | undefined;
};

/** A message beside the element it is about. Screen readers announce errors at once and other messages at the next pause. */
export const Alert = ({ id, kind = 'error', children, action, className }: AlertProps) => {
  const { ground, Icon } = looks[kind];
  const { isMounted, ref } = useMountedRegion();
  return (
    <div
      ref={ref}
      id={id}
      role={kind === 'error' ? 'alert' : 'status'}
      className={cx('flex items-start gap-3 rounded-xs px-4 py-3.5 text-[0.9375rem] font-medium', ground, className)}
    >
      <Icon className="mt-px size-5" strokeWidth={1.8} />
      <span className="flex-1 wrap-anywhere">{(isMounted || kind === 'error') && children}</span>
      {action}
    </div>
  );
};
