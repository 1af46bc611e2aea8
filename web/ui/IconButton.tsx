import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly iconClass?: string | undefined;
};

export const IconButton = ({ icon: Icon, label, className, iconClass = 'size-5', ...rest }: IconButtonProps) => (
  <button
    type="button"
    {...rest}
    aria-label={label}
    className={cx('inline-flex size-11 items-center justify-center rounded-full transition-colors hover:bg-ink/6', className)}
  >
    <Icon className={iconClass} strokeWidth={1.5} />
  </button>
);
