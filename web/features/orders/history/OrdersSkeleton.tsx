import { PictureSkeleton, Skeleton } from '../../../ui/Skeleton.tsx';

const Item = () => (
  <div className="flex gap-4">
    <PictureSkeleton className="h-[5.6rem] w-18" />
    <div className="flex-1 pt-4">
      <Skeleton className="h-5 w-3/4" />
      <Skeleton className="mt-3 h-3.5 w-1/2" />
    </div>
  </div>
);

/** Three orders, where the shopper's own will stand. */
export const OrdersSkeleton = () => (
  <div>
    {[1, 2, 3].map((place) => (
      <div key={place} className="grid gap-6 border-t border-sandal py-8 lg:grid-cols-[15rem_1fr_12rem]">
        <div>
          <Skeleton className="h-5 w-36" />
          <Skeleton className="mt-3 h-4 w-24" />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <Item />
          <Item />
        </div>
        <Skeleton className="h-5 w-24 lg:ml-auto" />
      </div>
    ))}
  </div>
);
