import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore, type ComponentType } from 'react';
import { useLocation } from 'react-router-dom';
import { count } from '../../lib/format.ts';
import { LoadFailed } from '../../ui/feedback/LoadFailed.tsx';
import { Stars } from '../../ui/Stars.tsx';
import type { ReviewListProps } from './ReviewList.tsx';

const Unavailable = () => (
  <LoadFailed onRetry={() => location.reload()}>The reviews could not be loaded. Check your connection.</LoadFailed>
);

const ReviewList = lazy(async (): Promise<{ default: ComponentType<ReviewListProps> }> => {
  try {
    return { default: (await import('./ReviewList.tsx')).ReviewList };
  } catch {
    return { default: Unavailable };
  }
});

const NEAR = '600px';
const still = () => () => {};

/** Stars and count are those of the product. The list, its script and its call come when the shopper scrolls near it or was led to it. */
export const ProductReviews = ({ product, ...props }: ReviewListProps) => {
  const place = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  const { hash } = useLocation();
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), {
      rootMargin: NEAR,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  // The first render must be that of the server, which knows no hash.
  const isLedHere = useSyncExternalStore(
    still,
    () => hash === '#write-review',
    () => false,
  );
  return (
    <section ref={place} id="reviews" aria-labelledby="reviews-title" className="page-x scroll-mt-20 pt-section">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)_auto]">
        <div>
          <h2 id="reviews-title" className="display text-h1">
            Reviews
          </h2>
          {product.reviewsCount > 0 && (
            <Average average={product.average ?? product.ratingStar} stars={product.ratingStar} reviews={product.reviewsCount} />
          )}
          <p className="mt-5 max-w-72 text-[0.875rem] leading-relaxed text-clove">
            Only people to whom we delivered it may write, once each. We hide what insults or advertises, and nothing else.
          </p>
        </div>
        <Suspense fallback={<Space />}>{isNear || isLedHere ? <ReviewList product={product} {...props} /> : <Space />}</Suspense>
      </div>
    </section>
  );
};

const Space = () => <div className="min-h-48 border-t border-gold" />;

const Average = ({ average, stars, reviews }: { readonly average: number; readonly stars: number; readonly reviews: number }) => (
  <div className="mt-6 flex items-end gap-4">
    <p className="display figures text-[4.5rem] leading-[0.8]">{average.toFixed(2)}</p>
    <div className="pb-0.5">
      <Stars rating={stars} />
      <p className="figures mt-1 text-[0.9375rem] text-clove">from {count(reviews, 'review')}</p>
    </div>
  </div>
);
