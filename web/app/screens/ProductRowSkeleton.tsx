import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { PictureSkeleton, Skeleton } from '../../ui/Skeleton.tsx';

type ProductRowSkeletonProps = { readonly heading: ReactNode; readonly count: number; readonly className: string };

/** Holds the place of a row of perfumes: on phones the first and a glimpse of the second. */
export const ProductRowSkeleton = ({ heading, count, className }: ProductRowSkeletonProps) => (
  <div aria-busy="true">
    <div className="flex items-end">{heading}</div>
    <div className={cx('mt-block grid gap-x-6 overflow-hidden max-md:-mr-gutter max-md:grid-flow-col max-md:auto-cols-[78%]', className)}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <PictureSkeleton />
          <Skeleton className="mt-4 h-5 w-3/4" />
          <Skeleton className="mt-2.5 h-3.5" />
          <Skeleton className="mt-6 h-4 w-20" />
        </div>
      ))}
    </div>
  </div>
);
