import { Heart } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../ui/cx.ts';

/** Toggles here only and is not kept (specification, section 2). */
export const WishlistHeart = ({ name, className }: { readonly name: string; readonly className?: string }) => {
  const [saved, setSaved] = useState(false);
  return (
    <button
      type="button"
      aria-label={`Save ${name}`}
      aria-pressed={saved}
      onClick={() => setSaved(!saved)}
      className={cx('group/heart inline-flex size-11 items-center justify-center', className)}
    >
      <span
        className={cx(
          'inline-flex size-9 items-center justify-center rounded-full bg-ivory/92 transition-transform group-active/heart:scale-90',
          saved ? 'text-oxblood' : 'text-ink',
        )}
      >
        <Heart className={cx('size-[1.125rem]', saved && 'fill-current')} strokeWidth={1.5} />
      </span>
    </button>
  );
};
