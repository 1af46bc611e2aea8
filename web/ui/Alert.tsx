import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const looks = {
  error: { ground: 'bg-sindoor-wash text-sindoor', Icon: CircleAlert },
  success: { ground: 'bg-khus-wash text-khus-deep', Icon: CircleCheck },
  warning: { ground: 'bg-haldi/60 text-haldi-deep', Icon: TriangleAlert },
};

type AlertProps = {
  readonly kind?: keyof typeof looks;
  readonly children: ReactNode;
  /** The way out, where there is one: a button 'Try again'. */
  readonly action?: ReactNode;
  readonly className?: string | undefined;
};

/** Says what happened, beside the place where it happened. Errors are announced at once, the rest when the reader pauses. */
export const Alert = ({ kind = 'error', children, action, className }: AlertProps) => {
  const { ground, Icon } = looks[kind];
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={cx('flex items-start gap-3 rounded-xs px-4 py-3.5 text-[0.9375rem] font-medium', ground, className)}
    >
      <Icon className="mt-px size-5" strokeWidth={1.8} />
      <span className="flex-1">{children}</span>
      {action}
    </div>
  );
};
