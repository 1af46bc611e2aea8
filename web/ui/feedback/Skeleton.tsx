import { cx } from '../cx.ts';
import { Niche } from '../Niche.tsx';

/** A placeholder. Give it the size of the content that will replace it, so that nothing shifts. */
export const Skeleton = ({ className }: { readonly className: string }) => <div aria-hidden="true" className={cx('skeleton', className)} />;

export const PictureSkeleton = ({ className = 'aspect-4/5' }: { readonly className?: string }) => (
  <div aria-hidden="true" className={cx('skeleton flex items-center justify-center', className)}>
    <Niche className="h-[46%] text-sandal" strokeWidth={0.8} />
  </div>
);
