import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../../../ui/cx.ts';

type SquareButtonProps = Omit<ComponentProps<'button'>, 'children' | 'className'> & {
  readonly icon: LucideIcon;
  /** What it does, for those who do not see the icon. */
  readonly label: string;
};

/** One of the two icon buttons of the product page, as high as the stepper beside them. Pressed, its icon is filled. */
export const SquareButton = ({ icon: Icon, label, ...rest }: SquareButtonProps) => {
  const pressed = rest['aria-pressed'] === true;
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={cx(
        'inline-flex size-13 items-center justify-center rounded-xs border border-teak hover:border-ink hover:bg-ink/4',
        pressed && 'text-oxblood',
      )}
    >
      <Icon className={cx('size-5', pressed && 'fill-current')} strokeWidth={1.5} />
    </button>
  );
};
