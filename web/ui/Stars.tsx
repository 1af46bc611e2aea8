import { useId } from 'react';
import { cx } from './cx.ts';

const STAR = 'M8 1.6l1.9 4.1 4.5.5-3.3 3 .9 4.4L8 11.4l-4 2.2.9-4.4-3.3-3 4.5-.5z';

/** `rating` goes from 0 to 5 in half steps. */
export const Stars = ({ rating, className = 'text-gold' }: { readonly rating: number; readonly className?: string }) => {
  const half = useId();
  return (
    <span role="img" aria-label={`${rating} of 5 stars`} className={cx('inline-flex gap-0.5', className)}>
      {[1, 2, 3, 4, 5].map((place) => {
        const filled = rating - place + 1;
        const fill = filled >= 1 ? 'currentColor' : filled > 0 ? `url(#${half})` : 'none';
        return (
          <svg key={place} viewBox="0 0 16 16" className="size-3.5" aria-hidden="true">
            {fill.startsWith('url') && (
              <linearGradient id={half}>
                <stop offset=".5" stopColor="currentColor" />
                <stop offset=".5" stopColor="currentColor" stopOpacity="0" />
              </linearGradient>
            )}
            <path d={STAR} fill={fill} stroke="currentColor" strokeWidth=".9" strokeLinejoin="round" />
          </svg>
        );
      })}
    </span>
  );
};
