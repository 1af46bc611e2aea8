import { usePageTitle } from '../../../lib/use-page-title.ts';
import { PictureSkeleton, Skeleton } from '../../../ui/Skeleton.tsx';
import { firstPicture, ProductLayout } from './ProductLayout.tsx';

/** The places of a product under way: they take their room at once, and are drawn only when it takes long. */
export const ProductSkeleton = ({ drawn }: { readonly drawn: boolean }) => {
  usePageTitle('Loading');
  return (
    <div aria-busy="true" className={drawn ? undefined : 'invisible'}>
      <output className="sr-only">Loading</output>
      <ProductLayout pictures={<PictureSkeleton className={firstPicture} />} facts={<FactsSkeleton />} />
    </div>
  );
};

const FactsSkeleton = () => (
  <>
    <Skeleton className="mt-2 h-4 w-24" />
    <Skeleton className="mt-6 h-12 w-4/5" />
    <Skeleton className="mt-4 h-6 w-3/5" />
    <Skeleton className="mt-6 h-4 w-32" />
    <Skeleton className="mt-8 h-7 w-32" />
    <div className="mt-8 flex gap-3">
      <Skeleton className="h-13 w-36" />
      <Skeleton className="h-13 flex-1" />
    </div>
    <Skeleton className="mt-12 h-4" />
    <Skeleton className="mt-3 h-4" />
    <Skeleton className="mt-3 h-4 w-2/3" />
    <div className="mt-10 space-y-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  </>
);
