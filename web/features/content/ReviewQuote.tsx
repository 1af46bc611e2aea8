import { Picture } from '../../ui/Picture.tsx';
import { Stars } from '../../ui/Stars.tsx';
import type { Review } from './site-content-types.ts';

export const ReviewQuote = ({ review }: { readonly review: Review }) => (
  <figure className="flex h-full flex-col justify-between border-t border-gold pt-7">
    <div>
      <Stars rating={review.rating} />
      <blockquote className="display mt-5 text-h3 leading-[1.38]">“{review.reviewText}”</blockquote>
    </div>
    <figcaption className="mt-8 flex items-center gap-3.5">
      <Picture src={review.avatarUrl} alt="" width={200} height={200} sizes="44px" className="size-11 rounded-full" />
      <span className="text-[0.9375rem] leading-snug">
        <span className="font-medium">{review.name}</span>
        <br />
        <span className="text-clove">{review.location}</span>
      </span>
    </figcaption>
  </figure>
);
