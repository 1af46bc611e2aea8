import { Check } from 'lucide-react';
import type { ProductView } from '#domain/product/view.ts';
import type { ReviewView } from '#domain/review/view.ts';
import { dayText } from '../../lib/dates.ts';
import { count } from '../../lib/format.ts';
import { joinPages } from '../../lib/paged-list.ts';
import { Button } from '../../ui/Button.tsx';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Status } from '../../ui/feedback/Status.tsx';
import { useDelayedLoading } from '../../ui/feedback/use-delayed-loading.ts';
import { Stars } from '../../ui/Stars.tsx';
import { cx } from '../../ui/cx.ts';
import { OwnReviewBox } from './OwnReviewBox.tsx';
import { useReviewsInfiniteQuery } from './reviews-api.ts';

export type ReviewListProps = {
  readonly product: ProductView;
  readonly isSignedIn: boolean;
  /** Called when the shopper's own review has changed the product's stars. */
  readonly onChanged: () => void;
};

/** The reviews of a perfume, and beside them the box in which its buyer writes one. */
export const ReviewList = ({ product, isSignedIn, onChanged }: ReviewListProps) => {
  const { data, isError, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useReviewsInfiniteQuery(product._id);
  const newest = data?.pages[0];
  const rows = joinPages(data?.pages ?? []);
  return (
    <>
      <div>
        {!newest && isError && !isFetching && (
          <LoadFailed onRetry={() => void refetch()}>The reviews could not be loaded. Check your connection.</LoadFailed>
        )}
        {!newest && (isFetching || !isError) && <Loading />}
        {newest && rows.length === 0 && (
          <p className="border-t border-gold pt-5 text-clove">
            {newest.total === 0
              ? 'Nobody has reviewed it yet.'
              : `${count(newest.total ?? 0, 'review')} from before are counted here, without their words.`}
          </p>
        )}
        {rows.length > 0 && (
          <ol className="border-t border-gold">
            {rows.map((review) => (
              <Review key={review._id} review={review} />
            ))}
          </ol>
        )}
        {hasNextPage && (
          <Button kind="outline" className="mt-5" busy={isFetchingNextPage ? 'Loading...' : undefined} onClick={() => void fetchNextPage()}>
            More reviews
          </Button>
        )}
      </div>
      {isSignedIn && <OwnReviewBox product={product} onChanged={onChanged} />}
    </>
  );
};

const Review = ({ review: { rating, name, at, text } }: { readonly review: ReviewView }) => (
  <li className="border-b border-sandal py-6 first:pt-5">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Stars rating={rating} />
      <span className="text-[0.9375rem] font-medium wrap-anywhere">{name}</span>
      <span className="inline-flex items-center gap-1.5 text-[0.8125rem] text-khus-deep">
        <Check className="size-3.5" strokeWidth={2} aria-hidden="true" />
        <span>Bought here</span>
      </span>
      <span className="figures text-[0.8125rem] text-clove sm:ml-auto">{dayText(at)}</span>
    </div>
    {text !== '' && <p className="mt-3 text-[1.0625rem] leading-[1.7] whitespace-pre-line wrap-anywhere">{text}</p>}
  </li>
);

const Loading = () => {
  const isDrawn = useDelayedLoading(true);
  return (
    <div aria-busy="true" className={cx('min-h-48 border-t border-gold pt-5', !isDrawn && 'invisible')}>
      <Status className="sr-only">Loading reviews...</Status>
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-4 h-4" />
      <Skeleton className="mt-3 h-4 w-2/3" />
    </div>
  );
};
