import { cx } from './cx.ts';
import { Niche } from './Niche.tsx';

/** A box of paper where something will stand: give it that thing's own size, so that nothing moves when it arrives. */
export const Skeleton = ({ className }: { readonly className: string }) => <div aria-hidden="true" className={cx('skeleton', className)} />;

/** Where a picture will hang: an empty niche. */
export const PictureSkeleton = ({ className = 'aspect-4/5' }: { readonly className?: string }) => (
  <div aria-hidden="true" className={cx('skeleton flex items-center justify-center', className)}>
    <Niche className="h-[46%] text-sandal" strokeWidth={0.8} />
  </div>
);
